"""The example model, found through `spec.catalog` and through an installed package."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from recplat.catalog import open_catalog
from recplat.nn import initialize
from recplat.spec.load import check_job
from tests.nn.inputs_builder import model_inputs, pooled_width

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def catalog():
    return open_catalog((EXAMPLES / "outside_catalog",))


def test_it_builds_and_trains_like_a_built_in_one(catalog):
    options = catalog.options("models", "toy")(query_features=("b0", "b2"))
    inputs = model_inputs(2, [5, 8, 5])
    assert list(options.check_inputs(inputs)) == []
    module = catalog.implementation(options, "module").build(options, inputs)
    initialize(module, seed=1)
    assert sum(parameter.numel() for parameter in module.parameters()) == options.num_parameters(inputs)
    pooled_BE = torch.randn(4, pooled_width(inputs), requires_grad=True)
    module(torch.randn(4, 2), pooled_BE).sum().backward()
    for bag in inputs.bags:
        used, padding = pooled_BE.grad[:, bag.offset :][:, : bag.storage_dim].split(
            [bag.dim, bag.storage_dim - bag.dim], 1
        )
        assert (used != 0).all()
        assert (padding == 0).all()


def test_it_computes_the_dot_product_of_its_towers(catalog):
    options = catalog.options("models", "toy")(query_features=("b0",), width=2)
    module = catalog.implementation(options, "module").build(options, model_inputs(1, [1, 1]))
    with torch.no_grad():
        module.query.weight.copy_(torch.tensor([[1.0, 2.0], [0.0, 1.0]]))
        module.item.weight.copy_(torch.tensor([[3.0], [5.0]]))
        module.query.bias.zero_()
        module.item.bias.fill_(1.0)
        module.bias.fill_(0.5)
    dense_BD, pooled_BE = torch.tensor([[10.0]]), torch.tensor([[4.0, 0, 0, 0, 7.0, 0, 0, 0]])
    # query (10 + 2 * 4, 4), item (3 * 7 + 1, 5 * 7 + 1)
    assert module(dense_BD, pooled_BE).tolist() == [18 * 22 + 4 * 36 + 0.5]


def test_the_example_spec_is_without_fault():
    checked = check_job(EXAMPLES / "toy.yaml")
    assert checked.diagnostics == ()
    assert checked.loaded.catalog.name_of(checked.loaded.job.spec.model) == "toy"


def test_its_own_faults_are_shown_at_their_place():
    checked = check_job(EXAMPLES / "toy.yaml", sets=("spec.model.query_features=[user_id, colour]",))
    [fault] = [found for found in checked.diagnostics if found.code == "toy-unknown-feature"]
    assert fault.path == "spec.model.query_features.1"
    assert "`colour`" in fault.message


def test_the_same_folder_in_an_installed_package_is_found_by_a_spec_without_catalog(tmp_path):
    shutil.copytree(
        EXAMPLES / "outside_catalog", tmp_path / "acme_models", ignore=shutil.ignore_patterns("__pycache__")
    )
    info = tmp_path / "acme_models-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-models\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[recplat.catalog]\nacme = acme_models\n")
    spec = tmp_path / "toy.yaml"
    lines = (EXAMPLES / "toy.yaml").read_text().splitlines(keepends=True)
    spec.write_text("".join(line for line in lines if "catalog: [" not in line))
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from recplat.spec.load import check_job\n"
        f"checked = check_job({str(spec)!r})\n"
        "print(checked.diagnostics, type(checked.loaded.job.spec.model).__module__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["()", "acme_models.models.toy.options"]


def test_the_test_in_the_how_to_passes(tmp_path, monkeypatch):
    text = (EXAMPLES.parent / "docs" / "how-to" / "own-model.md").read_text()
    [program] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    shutil.copytree(EXAMPLES / "outside_catalog", tmp_path / "my_catalog")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Callable[[], None]] = {}
    exec(program, names)
    [test] = [value for name, value in names.items() if name.startswith("test_")]
    test()
