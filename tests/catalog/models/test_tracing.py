"""What trainers do with a model: autocast, FX, torch.compile, small batches."""

import pytest
import torch

from recplat.catalog import builtin_catalog
from recplat.nn import initialize
from tests.nn.inputs_builder import model_inputs, pooled_width

CATALOG = builtin_catalog()
MODELS = CATALOG.names("models")


def build(name, dim=8, **fields):
    options = CATALOG.options("models", name)(**fields)
    inputs = model_inputs(3, [options.fixed_dim or dim] * 4, linear=options.has_linear_terms())
    module = CATALOG.implementation(options, "module").build(options, inputs)
    initialize(module, seed=1)
    return module, torch.randn(16, 3), torch.randn(16, pooled_width(inputs), requires_grad=True)


@pytest.mark.parametrize("name", MODELS)
def test_fx_traces_it_and_the_trace_takes_other_batch_sizes(name):
    module, dense_BD, pooled_BE = build(name)
    traced = torch.fx.symbolic_trace(module)
    assert torch.equal(traced(dense_BD, pooled_BE), module(dense_BD, pooled_BE))
    assert torch.equal(traced(dense_BD[:5], pooled_BE[:5]), module(dense_BD[:5], pooled_BE[:5]))


@pytest.mark.parametrize("name", MODELS)
def test_it_compiles_as_one_graph_with_the_same_gradients(name):
    module, dense_BD, pooled_BE = build(name)
    module(dense_BD, pooled_BE).sum().backward()
    expected = [pooled_BE.grad, *(parameter.grad for parameter in module.parameters())]
    pooled_BE.grad = None
    module.zero_grad()
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
    compiled(dense_BD, pooled_BE).sum().backward()
    gradients = [pooled_BE.grad, *(parameter.grad for parameter in module.parameters())]
    for gradient, wanted in zip(gradients, expected, strict=True):
        torch.testing.assert_close(gradient, wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_under_bf16_autocast_logits_and_gradients_stay_close(name):
    module, dense_BD, pooled_BE = build(name)
    exact_B = module(dense_BD, pooled_BE)
    with torch.autocast("cpu", torch.bfloat16):
        logits_B = module(dense_BD, pooled_BE)
    # bf16 keeps 8 bits; logits here are below 10 in size.
    torch.testing.assert_close(logits_B.float(), exact_B, atol=0.08, rtol=0.02)
    logits_B.float().sum().backward()
    assert pooled_BE.grad.isfinite().all()


@pytest.mark.parametrize("num_rows", [0, 1])
@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("name", [name for name in MODELS if name != "logistic_regression"])
def test_a_last_batch_of_one_row_or_none_trains(name, batch_norm, num_rows):
    module, dense_BD, pooled_BE = build(name, batch_norm=batch_norm)
    logits_B = module(dense_BD[:num_rows], pooled_BE[:num_rows])
    assert logits_B.shape == (num_rows,)
    logits_B.sum().backward()
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in module.parameters())
    assert pooled_BE.grad.isfinite().all()
