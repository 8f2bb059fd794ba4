import numpy as np
import pytest
import torch

from recplat.nn import CrossNetwork, initialize


@pytest.mark.parametrize("low_rank", [None, 2])
def test_each_layer_multiplies_with_the_input_once_more(low_rank):
    cross = CrossNetwork(5, 3, low_rank=low_rank)
    initialize(cross, seed=1)
    x0_BN = np.random.default_rng(0).normal(size=(7, 5))
    x_BN = x0_BN
    for layer in cross.layers:
        if low_rank is None:
            weight_NN, bias_N = layer.weight, layer.bias
        else:
            weight_NN, bias_N = layer[1].weight @ layer[0].weight, layer[1].bias
        product_BN = np.stack([weight_NN.detach().double().numpy() @ row for row in x_BN])
        x_BN = x0_BN * (product_BN + bias_N.detach().numpy()) + x_BN
    output_BN = cross(torch.from_numpy(x0_BN).float())
    np.testing.assert_allclose(output_BN.detach().numpy(), x_BN, atol=1e-5)


@pytest.mark.parametrize("low_rank", [None, 2])
def test_gradients(low_rank):
    cross = CrossNetwork(4, 2, low_rank=low_rank).double()
    x0_BN = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(cross, (x0_BN,))


def test_a_low_rank_layer_has_the_weights_of_two_thin_matrices():
    cross = CrossNetwork(10, 1, low_rank=3)
    assert sum(parameter.numel() for parameter in cross.parameters()) == 2 * 10 * 3 + 10
