import pytest

from recplat.catalog import builtin_catalog
from recplat.diagnostics import known_codes
from tests.nn.inputs_builder import model_inputs


@pytest.mark.parametrize("name", ["dlrm", "deepfm"])
def test_models_that_multiply_embeddings_name_features_of_different_dims(name):
    options = builtin_catalog().options("models", name)()
    [fault] = options.check_inputs(model_inputs(1, [16, 8, 16]))
    assert fault.code == "model-needs-equal-dims"
    assert fault.code in known_codes()
    assert "`b1` has 8, `b0` has 16" in fault.message
    assert "`dcn_v2`" in fault.help
    assert not list(options.check_inputs(model_inputs(1, [16, 16])))
    assert not list(options.check_inputs(model_inputs(1, [])))


@pytest.mark.parametrize("name", ["dcn_v2", "wide_deep"])
def test_models_that_lay_embeddings_side_by_side_take_any_dims(name):
    assert not list(builtin_catalog().options("models", name)().check_inputs(model_inputs(0, [16, 8])))
