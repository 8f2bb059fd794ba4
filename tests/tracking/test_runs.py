import pytest

from recplat.cli._known_runs import KnownRuns
from recplat.diagnostics import Problems
from recplat.tracking.abandoned import mark_abandoned
from recplat.tracking.processes import this_process
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import RunState
from recplat.tracking.runs import find_run, new_run_folder, run_folders


@pytest.fixture
def project(tmp_path):
    for name in ("20261130-100000-aaaaaa", "20261130-110000-bbbbbb", "20261201-100000-cccccc"):
        folder = RunFolder(tmp_path / ".recplat" / "runs" / name)
        folder.path.mkdir(parents=True)
        fields = {"run_id": name, "name": "tiny", "status": "FINISHED", "process": this_process()}
        folder.write(folder.state, RunState(**fields, created=0, started=0, ended=1, spec_file="tiny.yaml"))
    return tmp_path


def test_runs_are_found_by_id_by_its_beginning_and_as_latest(project):
    assert find_run(project, "20261130-100000-aaaaaa").path.name == "20261130-100000-aaaaaa"
    assert find_run(project, "20261130-11").path.name == "20261130-110000-bbbbbb"
    assert find_run(project, "latest").path.name == "20261201-100000-cccccc"


def test_an_ambiguous_beginning_lists_the_runs(project):
    with pytest.raises(Problems) as found:
        find_run(project, "20261130")
    [problem] = found.value.diagnostics
    assert problem.code == "run-ambiguous"
    assert "20261130-100000-aaaaaa" in problem.message
    assert "20261130-110000-bbbbbb" in problem.message


def test_a_misspelt_id_gets_the_nearest(project):
    with pytest.raises(Problems) as found:
        find_run(project, "20261130-100000-aaaaab")
    [problem] = found.value.diagnostics
    assert problem.code == "run-not-found"
    assert "20261130-100000-aaaaaa" in problem.help


def test_a_project_without_runs_says_how_to_make_one(tmp_path):
    with pytest.raises(Problems) as found:
        find_run(tmp_path, "latest")
    assert "recplat apply" in found.value.diagnostics[0].help


def test_ids_sort_by_time_and_git_ignores_the_folder(tmp_path):
    first, second = new_run_folder(tmp_path), new_run_folder(tmp_path)
    assert first.path.name[:15] <= second.path.name[:15]
    assert first.path != second.path
    assert (tmp_path / ".recplat" / ".gitignore").read_text() == "*\n"
    assert run_folders(tmp_path) == []  # without run.json there is no run


@pytest.mark.parametrize("text", ["", '{"run_id": "2026', "{}"])
def test_a_run_whose_state_a_power_cut_took_stops_no_other_command(project, text):
    (project / ".recplat" / "runs" / "20261201-100000-cccccc" / "run.json").write_text(text)
    assert mark_abandoned(project) == ()
    known = KnownRuns(project, None)
    assert {record.run_id[-6:] for record in known.records()} == {"aaaaaa", "bbbbbb"}
    with pytest.raises(Problems) as found:
        known.details("latest")
    assert found.value.diagnostics[0].code == "run-unreadable"
