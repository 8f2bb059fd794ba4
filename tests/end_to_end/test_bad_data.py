"""Data that does not fit the spec is a fault at a place of the spec, found before any rank trains."""

import time

import pytest

from tests.end_to_end.command import recplat, run_folders, wait_for
from tests.end_to_end.conftest import SPEC
from tests.end_to_end.processes import processes_in

#: What is wrong -> text of the spec, what stands there instead, and the fault.
FAULTS = {
    "the file is missing": ("ratings.parquet", "rating.parquet", "data-file-missing"),
    "a column is missing": ("genres", "genrez", "data-column-missing"),
    "the label is not 0 or 1": (', positive: ">= 4"', "", "data-label-invalid"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_it_is_told_with_its_place_and_leaves_nothing(project, client, what):
    right, wrong, code = FAULTS[what]
    text = (project / SPEC).read_text()
    spec = project / "specs" / "wrong.yaml"
    spec.write_text(text.replace(right, wrong))
    line = next(number for number, line in enumerate(text.splitlines(), start=1) if right in line)
    before = run_folders(project)
    start = time.monotonic()
    try:
        done = recplat(project, "apply", "specs/wrong.yaml", "--set", "spec.resources.ranks_per_node=2")
    finally:
        spec.unlink()
    assert time.monotonic() - start < 15
    assert done.code == 1
    assert f"error[{code}]" in done.err
    assert f"--> specs/wrong.yaml:{line}:" in done.err
    assert "help: " in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
    wait_for(lambda: not processes_in(project), seconds=5)
    assert run_folders(project) == before
    experiments = [each.experiment_id for each in client.search_experiments()]
    assert client.search_runs(experiments, "attributes.status = 'RUNNING'") == []
    assert client.get_experiment_by_name("wrong") is None


def test_faults_come_as_json_when_asked(project):
    done = recplat(project, "apply", SPEC, "--set", "spec.data.source.path=nowhere.parquet", "-o", "json")
    assert done.code == 1
    [fault] = done.json
    assert (fault["code"], fault["path"]) == ("data-file-missing", "spec.data.source.path")
