"""`recplat apply` with real ranks, and what it refuses before it starts any."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from recplat.cli import cli
from tests.launch.tiny_project import make_project

RECPLAT = [sys.executable, "-c", "from recplat.cli import main; main()"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    make_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A project with one finished run that misses its gate, and what the command said."""
    folder = tmp_path_factory.mktemp("finished")
    make_project(folder)
    environment = {name: value for name, value in os.environ.items() if name != "MLFLOW_TRACKING_URI"}
    arguments = ["--set", "spec.resources.ranks_per_node=1", "--set", "spec.evaluate.gates=[auc > 1.0]"]
    command = [*RECPLAT, "apply", "tiny.yaml", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    return folder, done


def test_a_missed_gate_is_exit_code_3_and_the_result_is_shown(finished):
    _, done = finished
    assert done.returncode == 3, done.stderr
    assert "FINISHED" in done.stdout
    assert "auc > 1.0: missed" in done.stdout
    assert "samples/s" in done.stdout


def test_progress_goes_to_standard_error(finished):
    _, done = finished
    for words in ("statistics: ", "plan: ", "data: ", "ranks are ready: ", "eval at step 4: auc"):
        assert words in done.stderr
        assert words not in done.stdout


def test_the_commands_shown_can_be_typed(finished):
    folder, done = finished
    [show] = [line.removeprefix("details").strip() for line in done.stdout.splitlines() if line.startswith("details")]
    shown = subprocess.run([*RECPLAT, *show.split()[1:]], cwd=folder, capture_output=True, text=True)
    assert shown.returncode == 0
    assert "spec.train.batch_size" in shown.stdout
    assert f"mlflow ui --workers 1 --backend-store-uri sqlite:///{folder}/.recplat/mlflow.db" in done.stdout


def test_the_run_folder_and_the_artifacts_hold_spec_plan_data_plots_and_result(finished):
    folder, _ = finished
    [run] = (folder / ".recplat" / "runs").iterdir()
    assert json.loads((run / "spec" / "normal.json").read_text())["metadata"]["name"] == "tiny"
    artifacts = {str(path.relative_to(path.parents[1])) for path in folder.glob(".recplat/mlartifacts/*/artifacts/*/*")}
    assert {
        "spec/tiny.yaml",
        "spec/normal.json",
        "plan/plan.json",
        "data/statistics.json",
        "plots/loss.png",
    } <= artifacts
    assert list(folder.glob(".recplat/mlartifacts/*/artifacts/result.json"))


def test_a_dry_run_shows_the_plan_and_does_nothing(project):
    result = CliRunner().invoke(cli, ["apply", "tiny.yaml", "--dry-run"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "tiny: dlrm on cpu, 2 ranks" in result.stdout
    assert not (project / ".recplat" / "runs").exists()
    assert "tiny.yaml:10:" in result.stderr  # `rows-unknown` has its place too
    as_json = CliRunner().invoke(cli, ["apply", "tiny.yaml", "--dry-run", "-o", "json"], catch_exceptions=False)
    assert json.loads(as_json.stdout)["job"]["metadata"]["name"] == "tiny"


def test_more_than_one_node_is_refused_with_the_place(project):
    result = CliRunner().invoke(cli, ["apply", "tiny.yaml", "--set", "spec.resources.nodes=2", "-o", "json"])
    assert result.exit_code == 1
    [fault] = json.loads(result.stdout)
    assert (fault["code"], fault["path"]) == ("local-one-node", "spec.resources.nodes")
    assert fault["file"] is not None


def test_a_tracking_server_that_is_down_is_refused_at_its_place_before_anything_is_written(project):
    spec = Path("tiny.yaml")
    spec.write_text(spec.read_text() + "  tracking: {uri: 'http://127.0.0.1:9'}\n")
    result = CliRunner().invoke(cli, ["apply", "tiny.yaml"])
    assert result.exit_code == 1
    assert "error[tracking-unreachable]" in result.stderr
    assert "tiny.yaml:15" in result.stderr
    assert not (project / ".recplat" / "runs").exists()
