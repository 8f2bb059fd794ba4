import pytest
import torch

from recplat.lang.shapes import BagShape, ModelInputs
from recplat.nn import FlatBags, StackedBags
from tests.nn.inputs_builder import model_inputs, pooled_width


def embeddings_one_by_one(pooled_BE, inputs):
    return [pooled_BE[:, bag.offset : bag.offset + bag.dim] for bag in inputs.bags]


def first_order_one_by_one(pooled_BE, inputs):
    return torch.stack([pooled_BE[:, bag.offset + bag.dim] for bag in inputs.bags], dim=1)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("dims", [[16, 16, 16], [5, 5], [8], [4, 6, 4]])
def test_flat_bags_lay_embeddings_side_by_side(dims, linear):
    inputs = model_inputs(0, dims, linear=linear)
    pooled_BE = torch.randn(3, pooled_width(inputs))
    embeddings_BN, first_order_BF = FlatBags(inputs, linear=linear)(pooled_BE)
    assert torch.equal(embeddings_BN, torch.cat(embeddings_one_by_one(pooled_BE, inputs), dim=1))
    if linear:
        assert torch.equal(first_order_BF, first_order_one_by_one(pooled_BE, inputs))
    else:
        assert first_order_BF is None


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("dims", [[16, 16, 16], [5, 5], [8]])
def test_stacked_bags_give_one_row_for_each_bag(dims, linear):
    inputs = model_inputs(0, dims, linear=linear)
    pooled_BE = torch.randn(3, pooled_width(inputs))
    embeddings_BFK, first_order_BF = StackedBags(inputs, linear=linear)(pooled_BE)
    assert torch.equal(embeddings_BFK, torch.stack(embeddings_one_by_one(pooled_BE, inputs), dim=1))
    if linear:
        assert torch.equal(first_order_BF, first_order_one_by_one(pooled_BE, inputs))
    else:
        assert first_order_BF is None


def test_bags_come_in_their_own_order_wherever_their_columns_lie():
    late = BagShape(name="late", table="t", offset=8, dim=4, storage_dim=8)
    early = BagShape(name="early", table="t", offset=0, dim=4, storage_dim=8)
    inputs = ModelInputs(dense=(), bags=(late, early))
    pooled_BE = torch.arange(16.0).reshape(1, 16)
    embeddings_BFK, first_order_BF = StackedBags(inputs, linear=True)(pooled_BE)
    assert embeddings_BFK.tolist() == [[[8, 9, 10, 11], [0, 1, 2, 3]]]
    assert first_order_BF.tolist() == [[12, 4]]


@pytest.mark.parametrize("layer", [FlatBags, StackedBags])
def test_without_padding_nothing_is_copied(layer):
    inputs = model_inputs(0, [8, 8])
    pooled_BE = torch.randn(3, 16)
    assert layer(inputs)(pooled_BE)[0].data_ptr() == pooled_BE.data_ptr()


@pytest.mark.parametrize("dims", [[5, 5], [5, 9]])
def test_padding_gets_no_gradient(dims):
    inputs = model_inputs(0, dims, linear=True)
    pooled_BE = torch.randn(2, pooled_width(inputs), requires_grad=True)
    embeddings_BN, first_order_BF = FlatBags(inputs, linear=True)(pooled_BE)
    (embeddings_BN.sum() + first_order_BF.sum()).backward()
    used = torch.zeros(pooled_width(inputs))
    for bag in inputs.bags:
        used[bag.offset : bag.offset + bag.dim + 1] = 1
    assert torch.equal(pooled_BE.grad, used.expand(2, -1))


@pytest.mark.parametrize("dims", [[], [4, 8]])
def test_bags_of_different_dims_or_none_cannot_be_stacked(dims):
    with pytest.raises(ValueError, match="one dim"):
        StackedBags(model_inputs(1, dims))
