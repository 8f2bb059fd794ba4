"""Each model against its formula written out row by row in float64; fp32 is held to 1e-5."""

import numpy as np
import pytest
import torch

from recplat.catalog import builtin_catalog
from recplat.nn import initialize
from tests.nn.inputs_builder import model_inputs, pooled_width

TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}


class Case:
    """A built model, inputs for it with NaN in the padding, and its weights by name."""

    def __init__(self, name, num_dense, dims, **fields):
        catalog = builtin_catalog()
        self.options = catalog.options("models", name)(**fields)
        self.inputs = model_inputs(num_dense, dims, linear=self.options.has_linear_terms())
        self.module = catalog.implementation(self.options, "module").build(self.options, self.inputs)
        initialize(self.module, seed=1)
        self.weights = {key: value.detach().double().numpy() for key, value in self.module.named_parameters()}
        generator = np.random.default_rng(0)
        self.dense_BD = generator.normal(size=(6, num_dense)).astype(np.float32)
        self.pooled_BE = generator.normal(size=(6, pooled_width(self.inputs))).astype(np.float32)
        for bag in self.inputs.bags:
            end = bag.offset + bag.dim + self.options.has_linear_terms()
            self.pooled_BE[:, end : bag.offset + bag.storage_dim] = np.nan

    def logits(self):
        logits_B = self.module(torch.from_numpy(self.dense_BD), torch.from_numpy(self.pooled_BE))
        return logits_B.detach().numpy()

    def rows(self):
        """For each row: dense features, embeddings, first-order weights."""
        for dense_D, pooled_E in zip(self.dense_BD.astype(float), self.pooled_BE.astype(float), strict=True):
            embeddings = [pooled_E[bag.offset : bag.offset + bag.dim] for bag in self.inputs.bags]
            yield (
                dense_D,
                embeddings,
                [pooled_E[bag.offset + bag.dim] for bag in self.inputs.bags if bag.storage_dim > bag.dim],
            )

    def linear(self, layer, x_N):
        return self.weights[f"{layer}.weight"] @ x_N + self.weights.get(f"{layer}.bias", 0.0)

    def mlp(self, layer, x_N, num_hidden, *, has_output=True):
        for place in range(num_hidden):
            x_N = np.maximum(self.linear(f"{layer}.{2 * place}", x_N), 0.0)
        return self.linear(f"{layer}.{2 * num_hidden}", x_N)[0] if has_output else x_N


def dots(vectors):
    return [vectors[i] @ vectors[j] for i in range(len(vectors)) for j in range(i)]


@pytest.mark.parametrize(("num_dense", "num_bags"), [(3, 4), (0, 4), (3, 0), (0, 1), (3, 1)])
def test_logistic_regression(num_dense, num_bags):
    case = Case("logistic_regression", num_dense, [1] * num_bags)
    torch.nn.init.normal_(case.module.linear.bias)
    if num_dense:
        torch.nn.init.normal_(case.module.linear.weight_D)
    bias = case.module.linear.bias.item()
    weights_D = case.module.linear.weight_D.detach().numpy() if num_dense else np.zeros(0)
    expected = [
        dense_D @ weights_D + sum(float(weight[0]) for weight in embeddings) + bias
        for dense_D, embeddings, _ in case.rows()
    ]
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


@pytest.mark.parametrize("num_bags", [1, 4])
@pytest.mark.parametrize("dim", [4, 5])
def test_dlrm(num_bags, dim):
    case = Case("dlrm", 3, [dim] * num_bags, bottom_mlp=(7,), top_mlp=(9, 6))
    expected = []
    for dense_D, embeddings, _ in case.rows():
        bottom_K = case.mlp("bottom", dense_D, 2, has_output=False)
        expected.append(case.mlp("top", np.concatenate([bottom_K, dots([bottom_K, *embeddings])]), 2))
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


@pytest.mark.parametrize("num_bags", [1, 4])
def test_dlrm_without_dense_features_keeps_the_embeddings_beside_the_products(num_bags):
    case = Case("dlrm", 0, [4] * num_bags, top_mlp=(9,))
    expected = [case.mlp("top", np.concatenate([*embeddings, dots(embeddings)]), 1) for _, embeddings, _ in case.rows()]
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


def test_dlrm_without_bags_is_two_mlps():
    case = Case("dlrm", 3, [], bottom_mlp=(7,), top_mlp=(9,))
    expected = [case.mlp("top", case.mlp("bottom", dense_D, 1, has_output=False), 1) for dense_D, _, _ in case.rows()]
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


@pytest.mark.parametrize("structure", ["parallel", "stacked"])
@pytest.mark.parametrize("low_rank", [None, 2])
@pytest.mark.parametrize(("num_dense", "dims"), [(3, [4, 4]), (0, [4, 6, 1]), (3, [])])
def test_dcn_v2(structure, low_rank, num_dense, dims):
    case = Case(
        "dcn_v2", num_dense, dims, structure=structure, low_rank=low_rank, num_cross_layers=2, hidden_units=(9,)
    )
    expected = []
    for dense_D, embeddings, _ in case.rows():
        x0_N = x_N = np.concatenate([dense_D, *embeddings])
        for layer in ("cross.layers.0", "cross.layers.1"):
            product_N = (
                case.linear(f"{layer}.1", case.linear(f"{layer}.0", x_N)) if low_rank else case.linear(layer, x_N)
            )
            x_N = x0_N * product_N + x_N
        if structure == "stacked":
            expected.append(case.mlp("deep", x_N, 1))
        else:
            expected.append(case.linear("cross_head", x_N)[0] + case.mlp("deep", x0_N, 1))
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


def test_dcn_v2_without_hidden_layers_is_the_cross_layers_alone():
    case = Case("dcn_v2", 3, [4], num_cross_layers=1, hidden_units=())
    expected = []
    for dense_D, embeddings, _ in case.rows():
        x0_N = np.concatenate([dense_D, *embeddings])
        expected.append(case.linear("deep.0", x0_N * case.linear("cross.layers.0", x0_N) + x0_N)[0])
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


@pytest.mark.parametrize(("num_dense", "dims"), [(3, [4, 4]), (0, [4, 6, 1]), (3, []), (0, [3])])
def test_wide_deep(num_dense, dims):
    case = Case("wide_deep", num_dense, dims, hidden_units=(9, 5))
    torch.nn.init.constant_(case.module.wide.bias, 0.25)
    if num_dense:
        torch.nn.init.constant_(case.module.wide.weight_D, -0.5)
    expected = [
        0.25 - 0.5 * sum(dense_D) + sum(first_order) + case.mlp("deep", np.concatenate([dense_D, *embeddings]), 2)
        for dense_D, embeddings, first_order in case.rows()
    ]
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)


@pytest.mark.parametrize(("num_dense", "dims"), [(3, [4, 4]), (0, [5, 5, 5]), (3, []), (0, [3]), (2, [4])])
def test_deepfm(num_dense, dims):
    case = Case("deepfm", num_dense, dims, hidden_units=(9, 5))
    torch.nn.init.constant_(case.module.linear.bias, 0.25)
    if num_dense:
        torch.nn.init.constant_(case.module.linear.weight_D, -0.5)
    vectors_DK = case.weights.get("pairs.vectors_DK", np.zeros((0, 1)))
    expected = []
    for dense_D, embeddings, first_order in case.rows():
        vectors = [*embeddings, *(value * vector for value, vector in zip(dense_D, vectors_DK, strict=False))]
        linear = 0.25 - 0.5 * sum(dense_D) + sum(first_order)
        expected.append(linear + sum(dots(vectors)) + case.mlp("deep", np.concatenate([dense_D, *embeddings]), 2))
    np.testing.assert_allclose(case.logits(), expected, **TOLERANCE)
