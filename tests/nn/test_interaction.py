import numpy as np
import pytest
import torch

from recplat.nn import DotInteraction


def pairs_one_by_one(vectors_BFK):
    return np.array(
        [[row[i] @ row[j] for i in range(len(row)) for j in range(i)] for row in vectors_BFK.astype(np.float64)]
    )


@pytest.mark.parametrize("num_vectors", [2, 3, 27])
def test_every_pair_once_in_the_stated_order(num_vectors):
    vectors_BFK = np.random.default_rng(0).normal(size=(4, num_vectors, 8)).astype(np.float32)
    layer = DotInteraction(num_vectors)
    output_BP = layer(torch.from_numpy(vectors_BFK))
    assert output_BP.shape == (4, layer.num_pairs)
    np.testing.assert_allclose(output_BP.numpy(), pairs_one_by_one(vectors_BFK), atol=1e-5)


def test_one_vector_has_no_pair():
    assert DotInteraction(1)(torch.randn(4, 1, 8)).shape == (4, 0)


def test_an_empty_batch_stays_empty():
    assert DotInteraction(3)(torch.randn(0, 3, 8)).shape == (0, 3)


def test_first_and_second_gradients():
    vectors_BFK = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    layer = DotInteraction(4)
    assert torch.autograd.gradcheck(layer, (vectors_BFK,))
    assert torch.autograd.gradgradcheck(layer, (vectors_BFK,))


def test_under_autocast_product_and_gradient_are_right_to_the_precision_of_bf16():
    vectors_BFK = torch.randn(64, 5, 16, requires_grad=True)
    with torch.autocast("cpu", torch.bfloat16):
        output_BP = DotInteraction(5)(vectors_BFK)
    assert output_BP.dtype == torch.bfloat16
    output_BP.float().sum().backward()
    gradient = vectors_BFK.grad.clone()
    vectors_BFK.grad = None
    exact_BP = DotInteraction(5)(vectors_BFK)
    exact_BP.sum().backward()
    # bf16 keeps 8 bits: each of the 16 products, and the sum of them, may be off by 2^-8 of its size.
    torch.testing.assert_close(output_BP.float(), exact_BP, atol=0.15, rtol=0.02)
    torch.testing.assert_close(gradient, vectors_BFK.grad, atol=0.15, rtol=0.02)
    assert gradient.dtype == torch.float32


def test_it_works_on_a_module_made_without_memory():
    with torch.device("meta"):
        layer = DotInteraction(3)
    layer.to_empty(device="cpu")
    vectors_BFK = torch.randn(2, 3, 4)
    assert torch.equal(layer(vectors_BFK), DotInteraction(3)(vectors_BFK))
