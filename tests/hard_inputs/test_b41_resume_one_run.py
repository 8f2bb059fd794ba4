"""B41: a run of two ranks that is stopped and resumed with a changed field stays one run, here and in MLflow."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from recplat.tracking.checkpoints import complete_checkpoints, read_manifest
from tests.launch.tiny_project import make_project

RECPLAT = [sys.executable, "-c", "from recplat.cli import main; main()"]


def test_a_stopped_run_goes_on_as_the_same_run(tmp_path, monkeypatch):
    make_project(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    every = ("--set", "spec.train.checkpoint.every_steps=50")
    endless = [*RECPLAT, "apply", "tiny.yaml", *every, "--set", "spec.train.epochs=100000"]
    first = subprocess.Popen(endless, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    folder = wait_for_checkpoint(tmp_path, first)
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=30) == 130
    last = read_manifest(complete_checkpoints(folder / "checkpoints")[-1]).state.step

    more = last + 100  # beyond what the first attempt has logged after its last checkpoint
    resumed = [
        *RECPLAT,
        "apply",
        "tiny.yaml",
        *every,
        "--resume",
        "-o",
        "json",
        "--set",
        f"spec.train.max_steps={more}",
    ]
    resumed += ["--set", "spec.train.epochs=100000"]
    done = subprocess.run(resumed, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["run_id"], result["steps"]) == (folder.name, more)
    assert [path.name for path in (tmp_path / ".recplat" / "runs").iterdir()] == [folder.name]
    with sqlite3.connect(tmp_path / ".recplat" / "mlflow.db") as store:
        assert store.execute("select run_uuid, status from runs").fetchall() == [(result["mlflow_run_id"], "FINISHED")]
        [[changed]] = store.execute("select value from tags where key = 'recplat.changed_on_resume'").fetchall()
        assert changed == f"spec.train.max_steps: not given -> {more}"
        steps = store.execute("select step from metrics where key = 'train/loss' order by timestamp, step").fetchall()
    assert steps[-1] == (more,)
    assert max(steps) == (more,)


def wait_for_checkpoint(project: Path, process: subprocess.Popen) -> Path:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert process.poll() is None, process.stderr.read()
        for folder in project.glob(".recplat/runs/*"):
            if complete_checkpoints(folder / "checkpoints") and has_metrics(project):
                return folder
        time.sleep(0.1)
    raise AssertionError("no checkpoint in time")


def has_metrics(project: Path) -> bool:
    with sqlite3.connect(project / ".recplat" / "mlflow.db") as store:
        return store.execute("select count(*) from metrics").fetchone() != (0,)
