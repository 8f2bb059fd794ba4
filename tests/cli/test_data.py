import json

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from recplat.cli import cli
from tests.data.project_builder import Project
from tests.data.test_movielens import folder  # noqa: F401


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(cli, ["data", *map(str, arguments)])


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path)
    made.parquet(user=["a", "b", "a"], age=[1, 2, None], part=["a", "a", "b"], label=[0, 1, 1])
    made.features = [{"name": "user", "type": "categorical"}, {"name": "age", "type": "numeric", "transform": "zscore"}]
    made.load()
    return made


def test_synth_tells_the_best_possible_auc(run):
    done = run("synth", "criteo", "--out", "made/rows.parquet", "--rows", 1000, "--seed", 3)
    assert done.exit_code == 0
    assert "1,000 rows" in done.stdout
    assert "best possible AUC: 0.8" in done.stdout
    assert pq.ParquetFile("made/rows.parquet").metadata.num_rows == 1000
    report = json.loads(run("synth", "criteo", "--out", "r.parquet", "-o", "json").stdout)["report"]
    assert 0.8 < report["expected_auc"] < 0.9


def test_synth_refuses_another_format(run):
    done = run("synth", "criteo", "--out", "rows.csv")
    assert done.exit_code == 1
    assert "data-output-format" in done.stderr
    assert "rows.parquet" in done.stderr


def test_fetch_writes_once_and_says_the_terms(run, folder):  # noqa: F811
    first = run("fetch", "movielens-100k", "--from", folder)
    assert first.stdout == "data/ml-100k/ratings.parquet: written\n"
    assert "not to be redistributed" in first.stderr
    assert "is there already" in run("fetch", "movielens-100k", "--from", folder).stdout
    again = json.loads(run("fetch", "movielens-100k", "--from", folder, "-o", "json", "--force").stdout)
    assert again["written"] is True


def test_inspect_shows_columns_and_a_proposal(run, project):
    done = run("inspect", "rows.parquet")
    assert done.exit_code == 0
    assert "rows.parquet: 3 rows" in done.stdout
    assert "features:\n  - {name: part, type: categorical, dim: 16}\n  # label: looks like the label\n" in done.stdout
    found = json.loads(run("inspect", "rows.parquet", "-o", "json").stdout)
    assert [column["name"] for column in found["inspection"]["columns"]] == ["part", "label", "user", "age"]
    assert found["features"].startswith("features:\n")


def test_inspect_of_a_missing_file_is_a_fault(run, tmp_path):
    done = run("inspect", "none.parquet")
    assert done.exit_code == 1
    assert "data-file-missing" in done.stderr


def test_stats_writes_the_lock_and_shows_it(run, project):
    done = run("stats", "tiny.yaml", "--out", "tiny.stats.json")
    assert done.exit_code == 0
    assert "vocabulary of 2" in done.stdout
    assert json.loads((project.root / "tiny.stats.json").read_text())["parts"]["train"]["num_rows"] == 2
    assert json.loads(run("stats", "tiny.yaml", "-o", "json").stdout)["parts"]["eval"]["num_positive"] == 1


def test_stats_makes_a_stale_lock_new(run, project):
    project.data["statistics"] = "tiny.stats.json"
    project.statistics()
    project.parquet(user=["c", "d"], age=[1, 2])
    assert project.problem().code == "statistics-stale"
    assert run("stats", "tiny.yaml").exit_code == 0
    project.prepare()


def test_faults_of_the_data_point_into_the_spec(run, project):
    project.parquet(user=["a"], age=["old"])
    done = run("stats", "tiny.yaml")
    assert done.exit_code == 1
    assert "row 1 of `rows.parquet`: `old` is not a number" in done.stderr
    assert "tiny.yaml:" in done.stderr
    assert "spec.features.age.column" in done.stderr
