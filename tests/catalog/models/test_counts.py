import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from recplat.catalog import builtin_catalog
from tests.nn.inputs_builder import model_inputs, pooled_width

CATALOG = builtin_catalog()
INPUTS = [(3, 4), (0, 4), (3, 0), (0, 1), (13, 26)]
FIELDS = [
    ("logistic_regression", {}),
    ("dlrm", {}),
    ("dlrm", {"batch_norm": True, "bottom_mlp": (), "top_mlp": ()}),
    ("dcn_v2", {}),
    ("dcn_v2", {"low_rank": 3, "structure": "stacked", "batch_norm": True}),
    ("dcn_v2", {"hidden_units": (), "num_cross_layers": 1}),
    ("wide_deep", {}),
    ("wide_deep", {"batch_norm": True, "hidden_units": (5,)}),
    ("deepfm", {}),
    ("deepfm", {"batch_norm": True, "hidden_units": ()}),
]


def build(name, fields, num_dense, num_bags):
    options = CATALOG.options("models", name)(**fields)
    inputs = model_inputs(num_dense, [options.fixed_dim or 16] * num_bags, linear=options.has_linear_terms())
    return options, inputs, CATALOG.implementation(options, "module").build(options, inputs)


@pytest.mark.parametrize(("num_dense", "num_bags"), INPUTS)
@pytest.mark.parametrize(("name", "fields"), FIELDS)
def test_parameters_are_counted_exactly(name, fields, num_dense, num_bags):
    options, inputs, module = build(name, fields, num_dense, num_bags)
    assert options.num_parameters(inputs) == sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize(("num_dense", "num_bags"), INPUTS)
@pytest.mark.parametrize(("name", "fields"), FIELDS)
def test_flops_are_those_that_torch_counts_and_what_it_leaves_out(name, fields, num_dense, num_bags):
    """Torch counts matrix products. The rest is work by element: a few operations for each input and cross layer."""
    options, inputs, module = build(name, fields, num_dense, num_bags)
    with FlopCounterMode(display=False) as counter:
        module(torch.randn(10, num_dense), torch.randn(10, pooled_width(inputs)))
    counted = counter.get_total_flops() // 10
    by_element = options.flops(inputs) - counted
    assert 0 <= by_element <= 2 * (inputs.width + num_dense * 17 + 16) * getattr(options, "num_cross_layers", 2)
