"""`recplat runs`, on run folders as a launcher leaves them."""

import json
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from recplat.cli import cli
from recplat.tracking.events import Evaluated, Finished
from recplat.tracking.processes import this_process
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import RunState, read_state


def make_run(root: Path, run_id: str, *, auc: float | None, epochs: int, status: str = "FINISHED") -> RunFolder:
    folder = RunFolder(root / ".recplat" / "runs" / run_id)
    folder.spec.mkdir(parents=True)
    created = time.mktime(time.strptime(run_id[:15], "%Y%m%d-%H%M%S"))
    state = RunState(
        run_id=run_id, name="tiny", status=status, process=this_process(), created=created, started=created,
        ended=created + 90, spec_file="/specs/tiny.yaml", error=None if status == "FINISHED" else "rank 1 failed",
    )  # fmt: skip
    folder.write(folder.state, state)
    folder.write(folder.normal_form, {"metadata": {"name": "tiny"}, "spec": {"train": {"epochs": epochs, "seed": 0}}})
    if status == "FINISHED":
        metrics = {"test": {"auc": auc, "logloss": 0.5}}
        result = Finished(
            time=created, step=120, epoch=epochs, reason="epochs", num_rows=9, train_seconds=60.0,
            rows_per_second=52_300.0, loader_wait_fraction=0.03, best_step=80, metrics=metrics, versions={},
        )  # fmt: skip
        folder.write(folder.result, result)
    return folder


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_run(tmp_path, "20261130-100000-aaaaaa", auc=0.75, epochs=1)
    make_run(tmp_path, "20261130-110000-bbbbbb", auc=0.78, epochs=2)
    return tmp_path


def invoke(*arguments: str):
    return CliRunner().invoke(cli, ["runs", *arguments], catch_exceptions=False)


def test_list_shows_the_newest_first(project):
    heading, newest, older = invoke("list").stdout.splitlines()
    assert heading.split()[:6] == ["run", "name", "status", "part", "auc", "logloss"]
    assert newest.split()[:8] == ["20261130-110000-bbbbbb", "tiny", "FINISHED", "test", "0.78", "0.5", "52,300", "1m"]
    assert older.startswith("20261130-100000-aaaaaa")
    assert len(invoke("list", "--limit", "1").stdout.splitlines()) == 2


def test_list_as_json_holds_the_metrics_by_their_public_names(project):
    newest, _ = json.loads(invoke("list", "-o", "json").stdout)
    assert newest["run_id"] == "20261130-110000-bbbbbb"
    assert newest["metrics"]["test/auc"] == 0.78
    assert newest["seconds"] == 90


def test_list_tells_a_run_that_missed_a_gate(project):
    folder = make_run(project, "20261130-120000-cccccc", auc=0.7, epochs=1)
    folder.write(folder.state, msgspec.structs.replace(read_state(folder), gates="missed: auc >= 0.8 (0.7)"))
    assert "FINISHED, gate missed" in invoke("list").stdout
    assert "gates    missed: auc >= 0.8 (0.7)" in invoke("show", "latest").stdout


def test_list_does_not_import_mlflow(project):
    import subprocess
    import sys

    code = (
        "import sys; from click.testing import CliRunner; from recplat.cli import cli;"
        "print(CliRunner().invoke(cli, ['runs', 'list']).exit_code, 'mlflow' in sys.modules, 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "0 False False\n"


def test_show_tells_metrics_fields_files_and_what_to_type_next(project):
    shown = invoke("show", "latest").stdout
    assert "run 20261130-110000-bbbbbb  tiny" in shown
    assert "spec.train.epochs  2" in shown
    assert ".recplat/runs/20261130-110000-bbbbbb/result.json" in shown
    assert "recplat runs show 20261130-110000-bbbbbb" in shown


def test_a_run_that_had_nothing_left_to_train_shows_no_speed(project):
    folder = RunFolder(project / ".recplat" / "runs" / "20261130-110000-bbbbbb")
    result = msgspec.json.decode(folder.result.read_bytes(), type=Finished)
    idle = msgspec.structs.replace(result, num_rows=0, train_seconds=0.0, rows_per_second=0.0)
    folder.write(folder.result, idle)
    assert "perf/" not in invoke("show", "latest").stdout
    assert invoke("list").stdout.splitlines()[1].split()[6] == "-"


def test_show_tells_why_a_run_failed_and_how_far_it_came(project):
    folder = make_run(project, "20261130-120000-cccccc", auc=None, epochs=1, status="FAILED")
    folder.events.mkdir()
    metrics = {"auc": 0.6}
    event = Evaluated(time=1.0, step=5, epoch=0, part="eval", num_rows=1, seconds=1.0, metrics=metrics)
    folder.rank_events(0).write_bytes(msgspec.json.encode(event) + b"\n")
    shown = invoke("show", "20261130-12").stdout
    assert "rank 1 failed" in shown
    assert "0.6" in shown


def test_compare_shows_differences_of_metrics_and_of_the_spec(project):
    shown = invoke("compare", "20261130-10", "latest").stdout
    metric = next(line for line in shown.splitlines() if line.startswith("test/auc"))
    assert metric.split() == ["test/auc", "0.75", "0.78", "+0.03", "+4.00%"]
    assert "spec.train.epochs  1  2" in shown
    assert "spec.train.seed" not in shown


@pytest.fixture
def unlike(project):
    """Two runs with other features, one of which they share."""
    for run_id, names in (("20261130-120000-cccccc", "age user item"), ("20261130-130000-dddddd", "age shop")):
        folder = make_run(project, run_id, auc=0.7, epochs=1)
        features = [{"name": name, "type": "categorical", "table": name, "dtype": "auto"} for name in names.split()]
        tables = [{"name": name, "dim": 4} for name in names.split()]
        spec = {"features": features, "tables": tables, "model": {"type": "dlrm"}, "train": {"epochs": len(names)}}
        folder.write(folder.normal_form, {"metadata": {"name": "tiny"}, "spec": spec})
    return project


def test_compare_names_features_and_tables_that_one_run_lacks_instead_of_showing_their_fields(unlike):
    shown = invoke("compare", "20261130-12", "20261130-13").stdout
    for line in ("features user, item", "tables user, item"):
        assert f"only in A: {line}\n" in shown
    assert "only in B: features shop\nonly in B: tables shop\n" in shown
    assert "spec.train.epochs  13  8" in shown
    assert "spec.features." not in shown
    assert "spec.tables." not in shown
    comparison = json.loads(invoke("compare", "20261130-12", "20261130-13", "-o", "json").stdout)
    assert comparison["only_a"] == {"features": ["user", "item"], "tables": ["user", "item"]}
    assert "spec.features.user.type" in [pair["path"] for pair in comparison["fields"]]


def test_show_names_the_model_and_its_features(unlike):
    assert "model    dlrm of age, user, item\n" in invoke("show", "20261130-12").stdout


def test_compare_as_json(project):
    comparison = json.loads(invoke("compare", "20261130-10", "latest", "-o", "json").stdout)
    assert comparison["fields"] == [{"path": "spec.train.epochs", "a": "1", "b": "2"}]
    auc = next(pair for pair in comparison["metrics"] if pair["name"] == "test/auc")
    assert auc["difference"] == pytest.approx(0.03)


def test_an_unknown_run_is_a_fault_with_the_nearest(project):
    result = invoke("show", "20261130-110000-bbbbbc", "-o", "json")
    assert result.exit_code == 1
    [fault] = json.loads(result.stdout)
    assert fault["code"] == "run-not-found"
    assert "20261130-110000-bbbbbb" in fault["help"]


def test_a_project_without_runs_is_no_fault(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke("list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "recplat apply" in result.stderr


def test_cancelling_a_run_that_has_ended_is_a_fault(project):
    result = invoke("cancel", "latest")
    assert result.exit_code == 1
    assert "FINISHED" in result.stderr


def test_watching_a_run_that_has_ended_shows_what_it_told(project):
    folder = RunFolder(project / ".recplat" / "runs" / "20261130-110000-bbbbbb")
    folder.events.mkdir()
    event = Evaluated(time=1.0, step=5, epoch=0, part="eval", num_rows=1, seconds=1.0, metrics={"auc": 0.6})
    folder.rank_events(0).write_bytes(msgspec.json.encode(event) + b"\n")
    result = invoke("watch", "latest")
    assert result.exit_code == 0
    assert "eval at step 5: auc 0.6000" in result.stderr
    assert result.stdout == "run 20261130-110000-bbbbbb: FINISHED\n"
