import numpy as np
import torch

from recplat.nn import FactorizationMachine


def pairs_one_by_one(dense_BD, vectors_DK, embeddings_BFK):
    totals = []
    for dense_D, embeddings_FK in zip(dense_BD, embeddings_BFK, strict=True):
        vectors = [*embeddings_FK, *(value * vector for value, vector in zip(dense_D, vectors_DK, strict=True))]
        totals.append(sum(vectors[i] @ vectors[j] for i in range(len(vectors)) for j in range(i)))
    return np.array(totals)


def test_it_is_the_sum_of_all_pairs_with_dense_features_as_scaled_vectors():
    layer = FactorizationMachine(3, 8)
    torch.nn.init.normal_(layer.vectors_DK)
    generator = np.random.default_rng(0)
    dense_BD = generator.normal(size=(6, 3)).astype(np.float32)
    embeddings_BFK = generator.normal(size=(6, 4, 8)).astype(np.float32)
    output_B = layer(torch.from_numpy(dense_BD), torch.from_numpy(embeddings_BFK)).detach().numpy()
    expected_B = pairs_one_by_one(dense_BD, layer.vectors_DK.detach().numpy(), embeddings_BFK)
    np.testing.assert_allclose(output_B, expected_B, rtol=1e-5, atol=1e-4)


def test_without_dense_features_it_has_no_parameters():
    layer = FactorizationMachine(0, 8)
    assert not list(layer.parameters())
    embeddings_BFK = torch.randn(2, 3, 8)
    expected_B = pairs_one_by_one(np.zeros((2, 0)), np.zeros((0, 8)), embeddings_BFK.numpy())
    np.testing.assert_allclose(layer(torch.zeros(2, 0), embeddings_BFK).numpy(), expected_B, rtol=1e-5, atol=1e-5)


def test_one_vector_has_no_pair():
    assert FactorizationMachine(0, 4)(torch.zeros(2, 0), torch.randn(2, 1, 4)).abs().max() < 1e-6


def test_gradients():
    layer = FactorizationMachine(2, 3).double()
    dense_BD = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
    embeddings_BFK = torch.randn(3, 4, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(layer, (dense_BD, embeddings_BFK))
