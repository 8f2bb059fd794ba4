import torch

from recplat.nn import LinearTerms


def test_ids_dense_features_and_bias_add_up():
    layer = LinearTerms(2)
    with torch.no_grad():
        layer.weight_D.copy_(torch.tensor([2.0, -1.0]))
        layer.bias.fill_(0.5)
    dense_BD = torch.tensor([[1.0, 3.0], [0.0, 1.0]])
    first_order_BF = torch.tensor([[0.25, 0.5, 1.0], [0.0, 0.0, -1.0]])
    assert layer(dense_BD, first_order_BF).tolist() == [2 - 3 + 0.5 + 1.75, -1 + 0.5 - 1]


def test_without_inputs_only_the_bias_is_left():
    layer = LinearTerms(0)
    assert [name for name, _ in layer.named_parameters()] == ["bias"]
    assert layer(torch.zeros(3, 0), None).tolist() == [0, 0, 0]
