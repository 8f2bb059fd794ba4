"""Every spec of this repository is right, can be planned, and trains."""

import pytest

from tests.end_to_end.command import recplat
from tests.end_to_end.conftest import apply
from tests.end_to_end.project_builder import ROOT

SPECS = sorted(path.name for path in (ROOT / "specs").glob("*.yaml"))
SHORT = ("spec.resources.device=cpu", "spec.train.max_steps=3", "spec.train.batch_size=256", "spec.evaluate.gates=[]")


@pytest.fixture(scope="module")
def project_with_data(project):
    """The project with the made-up rows that one of the specs reads."""
    done = recplat(project, "data", "synth", "criteo", "--out", "data/criteo-small.parquet", "--rows", "4000")
    assert done.code == 0, done.err
    yield project
    (project / "data" / "criteo-small.parquet").unlink()


@pytest.mark.parametrize("name", SPECS)
def test_it_is_right_and_can_be_planned(project, name):
    checked = recplat(project, "validate", f"specs/{name}")
    assert (checked.code, checked.err) == (0, "")
    planned = recplat(project, "plan", f"specs/{name}")
    assert planned.code == 0, planned.err


@pytest.mark.parametrize("name", SPECS)
def test_it_trains(project_with_data, name):
    run = apply(project_with_data, f"specs/{name}", *(word for setting in SHORT for word in ("--set", setting)))
    assert run.done.code == 0, run.done.err
    assert run.read("result.json")["step"] == 3
