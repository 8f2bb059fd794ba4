import pytest

from recplat.diagnostics import Problems
from recplat.tracking.runs import find_run, new_run_folder, run_folders


@pytest.fixture
def project(tmp_path):
    for name in ("20261130-100000-aaaaaa", "20261130-110000-bbbbbb", "20261201-100000-cccccc"):
        folder = tmp_path / ".recplat" / "runs" / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text("{}")
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
