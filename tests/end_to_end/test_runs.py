"""`recplat runs` on runs that have really been."""

import pytest

from tests.end_to_end.command import recplat


@pytest.fixture(scope="module")
def listed(project, one_rank, two_ranks):
    return recplat(project, "runs", "list", "-o", "json", "--limit", "1000").json


def test_list_shows_runs_with_state_and_key_metrics(project, one_rank, two_ranks):
    done = recplat(project, "runs", "list", "--limit", "1000")
    assert done.code == 0
    heading, *lines = done.out.splitlines()
    for run in (one_rank, two_ranks):
        [line] = [line for line in lines if line.startswith(run.run_id)]
        shown = dict(zip(heading.split(), line.split(), strict=False))
        assert (shown["name"], shown["status"], shown["part"]) == ("films", "FINISHED", "test")
        assert float(shown["auc"]) == pytest.approx(run.read("result.json")["metrics"]["test"]["auc"], abs=1e-4)


def test_list_as_json_is_newest_first(listed):
    ids = [each["run_id"] for each in listed]
    assert ids == sorted(ids, reverse=True)


def test_show_tells_all_of_a_run(project, one_rank):
    done = recplat(project, "runs", "show", one_rank.run_id)
    assert done.code == 0
    for words in ("films", "FINISHED", "logloss", "spec.train.batch_size", "plots/roc.png", "mlflow ui"):
        assert words in done.out
    as_json = recplat(project, "runs", "show", one_rank.run_id, "-o", "json").json
    result = one_rank.read("result.json")
    assert as_json["record"]["metrics"]["test/auc"] == result["metrics"]["test"]["auc"]
    assert as_json["fields"]["spec.train.batch_size"] == "256"


def test_a_run_is_found_by_the_beginning_of_its_id_and_the_newest_as_latest(project, one_rank, listed):
    shown = recplat(project, "runs", "show", one_rank.run_id[:-2], "-o", "json").json
    assert shown["record"]["run_id"] == one_rank.run_id
    latest = recplat(project, "runs", "show", "latest", "-o", "json").json
    assert latest["record"]["run_id"] == listed[0]["run_id"]


def test_compare_shows_metrics_and_the_fields_that_differ(project, one_rank, two_ranks):
    done = recplat(project, "runs", "compare", one_rank.run_id, two_ranks.run_id)
    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert ["spec.resources.ranks_per_node", "1", "2"] in lines
    assert any(line[0] == "test/auc" and len(line) == 5 for line in lines if line)
    as_json = recplat(project, "runs", "compare", one_rank.run_id, two_ranks.run_id, "-o", "json").json
    assert as_json["fields"] == [{"path": "spec.resources.ranks_per_node", "a": "1", "b": "2"}]
    auc = next(each for each in as_json["metrics"] if each["name"] == "test/auc")
    assert auc["difference"] == auc["b"] - auc["a"]


def test_a_wrong_id_gives_the_nearest_and_exit_code_1(project, one_rank):
    end = "0" if one_rank.run_id[-1] != "0" else "1"
    done = recplat(project, "runs", "show", one_rank.run_id[:-1] + end)
    assert done.code == 1
    assert "error[run-not-found]" in done.err
    assert f"did you mean `{one_rank.run_id}`?" in done.err
    ambiguous = recplat(project, "runs", "show", one_rank.run_id[:2])
    assert ambiguous.code == 1
    assert "error[run-ambiguous]" in ambiguous.err


def test_runs_are_found_from_any_folder_of_the_project(project, listed):
    below = recplat(project / "specs", "runs", "list", "-o", "json", "--limit", "1000").json
    assert [each["run_id"] for each in below] == [each["run_id"] for each in listed]
