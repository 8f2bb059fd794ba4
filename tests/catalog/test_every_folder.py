"""The bar that every built-in catalog folder is held to. A new folder is met by being there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import torch

import recplat.catalog
from recplat.catalog import KINDS, builtin_catalog
from recplat.diagnostics import known_codes
from recplat.lang.statistics import NUM_RESERVED_IDS
from tests.catalog.metrics.rows_builder import made_up, predictions
from tests.catalog.minimal import fields_of, minimal_options
from tests.nn.inputs_builder import model_inputs, pooled_width

ROOT = Path(recplat.catalog.__file__).parent
FOLDERS = sorted((path.parent.parent.name, path.parent.name) for path in ROOT.glob("*/*/options.py"))
CATALOG = builtin_catalog()


def names(kind):
    return [name for folder, name in FOLDERS if folder == kind]


def test_folders_lie_under_known_kinds_and_every_kind_has_some():
    assert {kind for kind, _ in FOLDERS} == set(KINDS)


@pytest.mark.parametrize(("kind", "name"), FOLDERS)
def test_it_is_a_package_that_does_nothing_by_itself(kind, name):
    assert (ROOT / kind / name / "__init__.py").read_text() == ""


@pytest.mark.parametrize(("kind", "name"), FOLDERS)
def test_it_is_tagged_with_its_folders_name(kind, name):
    cls = CATALOG.options(kind, name)
    assert issubclass(cls, KINDS[kind])
    assert cls.__struct_config__.tag == (None if kind == "toggles" else name)
    assert cls.__struct_config__.frozen
    assert CATALOG.name_of(minimal_options(CATALOG, kind, name)) == name


@pytest.mark.parametrize(("kind", "name"), FOLDERS)
def test_it_says_what_it_is(kind, name):
    text = CATALOG.options(kind, name).__dict__["__doc__"] or ""
    assert text.strip().endswith("."), f"{kind}/{name}: Options needs a docstring of whole sentences"


@pytest.mark.parametrize(("kind", "name"), FOLDERS)
def test_every_field_has_a_description(kind, name):
    for field, said in fields_of(CATALOG.options(kind, name)):
        assert said.get("description", "").endswith("."), f"{kind}/{name}: `{field.name}` needs `doc(…)`, a sentence"


@pytest.mark.parametrize(("kind", "name"), FOLDERS)
def test_its_minimal_options_are_without_fault_and_survive_json(kind, name):
    options = minimal_options(CATALOG, kind, name)
    assert list(options.faults()) == []
    plain = json.loads(msgspec.json.encode(options))
    assert json.loads(msgspec.json.encode(minimal_options(CATALOG, kind, name))) == plain
    if kind != "toggles":
        assert plain["type"] == name


@pytest.mark.parametrize(("kind", "name"), FOLDERS)
def test_every_code_of_its_faults_is_explained(kind, name):
    source = (ROOT / kind / name / "options.py").read_text()
    assert set(re.findall(r'\bcode="([^"]+)"', source)) <= set(known_codes())


def test_no_options_file_needs_torch_numpy_or_arrow():
    modules = [f"recplat.catalog.{kind}.{name}.options" for kind, name in FOLDERS]
    program = f"import importlib, sys\nfor name in {modules!r}: importlib.import_module(name)\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"torch", "torchrec", "fbgemm_gpu", "numpy", "pyarrow", "pandas", "mlflow", "xxhash"}
    assert heavy.isdisjoint(loaded)


@pytest.mark.parametrize(("num_dense", "num_bags"), [(3, 4), (0, 4), (0, 1), (3, 1), (3, 0)])
@pytest.mark.parametrize("name", names("models"))
def test_a_model_trains_on_the_cpu_and_has_the_parameters_it_says(name, num_dense, num_bags):
    options = minimal_options(CATALOG, "models", name)
    inputs = model_inputs(num_dense, [options.fixed_dim or 8] * num_bags, linear=options.has_linear_terms())
    assert list(options.check_inputs(inputs)) == []
    module = CATALOG.implementation(options, "module").build(options, inputs)
    pooled_BE = torch.randn(5, pooled_width(inputs), requires_grad=True)
    logits_B = module(torch.randn(5, num_dense), pooled_BE)
    assert logits_B.shape == (5,)
    logits_B.sum().backward()
    parameters = list(module.parameters())
    assert all(tensor.isfinite().all() for tensor in [logits_B, *(parameter.grad for parameter in parameters)])
    assert sum(parameter.numel() for parameter in parameters) == options.num_parameters(inputs)
    assert options.flops(inputs) > 0
    if num_bags:
        assert pooled_BE.grad.isfinite().all()
        assert pooled_BE.grad.abs().sum() > 0


@pytest.mark.parametrize("name", names("metrics"))
def test_a_metric_has_a_figure_for_rows_and_none_without(name):
    options = minimal_options(CATALOG, "metrics", name)
    compute = CATALOG.implementation(options, "compute").compute
    groups = {column: [] for column in [options.group_column()] if column}
    assert compute(options, predictions([], [], **groups)) is None
    rows = made_up(100)
    rows = predictions(rows.logits_N, rows.labels_N, **dict.fromkeys(groups, rows.groups["user"]))
    assert isinstance(compute(options, rows), float)
    assert re.fullmatch(r"[A-Za-z0-9_.]+", options.metric_name())


@pytest.mark.parametrize("name", names("schedules"))
def test_a_schedule_stays_between_0_and_1(name):
    options = minimal_options(CATALOG, "schedules", name)
    for step in range(0, 50_000, 997):
        assert 0.0 <= options.factor(step, 50_000) <= 1.0


@pytest.mark.parametrize("name", names("transforms"))
def test_a_transform_that_gives_ids_says_how_many_rows_they_need(name):
    options = minimal_options(CATALOG, "transforms", name)
    if options.gives == "id" and options.needs is None:
        assert options.num_rows(None) > NUM_RESERVED_IDS


@pytest.mark.parametrize("name", names("sharding"))
@pytest.mark.parametrize("num_ranks", [1, 2, 3])
def test_shards_cover_a_table_once_or_once_on_every_rank(name, num_ranks):
    options = minimal_options(CATALOG, "sharding", name)
    shards = options.shards(num_rows=7, num_columns=8, num_ranks=num_ranks, rank=num_ranks - 1)
    cells = [
        (row, column)
        for shard in shards
        for row in range(shard.row_offset, shard.row_offset + shard.num_rows)
        for column in range(shard.column_offset, shard.column_offset + shard.num_columns)
    ]
    times = {cells.count(cell) for cell in {(row, column) for row in range(7) for column in range(8)}}
    assert times in ({1}, {num_ranks})
    assert {shard.rank for shard in shards} <= set(range(num_ranks))
