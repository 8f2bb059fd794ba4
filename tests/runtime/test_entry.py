"""The program itself: `torchrun … -m recplat.runtime RUN_FOLDER`."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recplat.data.preparing import prepare
from recplat.data.statistics import ensure_statistics
from recplat.lang.shapes import Device
from recplat.plan.codec import encode_plan
from recplat.plan.compile import compile_plan
from recplat.plan.types import Plan
from recplat.spec import load_job
from recplat.tracking.run_folder import Go, RunFolder

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: entry}
spec:
  data:
    source: {path: rows.parquet}
    split: {by: random}
    label: {column: label}
  features:
    - {name: user, type: categorical, dim: 8}
    - {name: tags, type: categorical, dim: 8, multivalent: true, pooling: mean}
    - {name: age, type: numeric, transform: zscore}
  model: {type: deepfm, hidden_units: [16]}
  train: {batch_size: 64, epochs: 2}
"""


class Job:
    """A prepared job of two ranks, not yet started."""

    def __init__(self, root: Path, *sets: str, num_ranks: int = 2) -> None:
        random = np.random.default_rng(0)
        users = random.integers(0, 50, 1000)
        tags = [[f"t{tag}" for tag in random.integers(0, 9, random.integers(0, 4))] for _ in users]
        label = (random.normal(size=50)[users] + random.normal(size=1000) > 0).astype(np.int64)
        columns = {"user": users, "tags": tags, "age": random.normal(30, 9, 1000), "label": label}
        pq.write_table(pa.table(columns), root / "rows.parquet")
        (root / ".recplat").mkdir()
        (root / "job.yaml").write_text(SPEC)
        loaded = load_job(root / "job.yaml", sets=sets)
        statistics = ensure_statistics(loaded.job, loaded.catalog, root)
        self.prepared = prepare(loaded.job, loaded.catalog, statistics, root)
        device = Device(type="cpu", num_ranks=num_ranks, cpus_per_rank=1, has_native_bf16=False)
        self.plan: Plan = compile_plan(loaded.job, statistics, device, loaded.catalog).plan
        self.num_ranks = num_ranks
        self.folder = RunFolder(root / "run")
        self.folder.path.mkdir()

    def start(self) -> subprocess.Popen[bytes]:
        torchrun = ["-m", "torch.distributed.run", "--standalone", "--nnodes=1", f"--nproc-per-node={self.num_ranks}"]
        command = [sys.executable, *torchrun, "-m", "recplat.runtime", str(self.folder.path)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def go(self) -> None:
        self.folder.plan.write_bytes(encode_plan(self.plan))
        self.folder.write(self.folder.go, Go(prepared=str(self.prepared), run_id="r1"))

    def events(self, rank: int) -> list[dict[str, Any]]:
        path = self.folder.rank_events(rank)
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def wait_for_event(self, rank: int, timeout_s: float = 90) -> None:
        deadline = time.monotonic() + timeout_s
        while not self.events(rank):
            assert time.monotonic() < deadline, "no event came"
            time.sleep(0.05)


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_ranks_import_first_then_wait_for_go_then_train(
    tmp_path: Path, processes: list[subprocess.Popen[bytes]]
) -> None:
    job = Job(tmp_path)
    process = job.start()
    processes.append(process)
    for rank in range(2):
        job.wait_for_event(rank)
        assert [(event["type"], event["phase"]) for event in job.events(rank)] == [("ready", "imported")]
    job.go()
    output, _ = process.communicate(timeout=90)
    assert process.returncode == 0, output.decode()
    events = job.events(0)
    assert [event["type"] for event in events[:3]] == ["ready", "ready", "step"]
    assert events[-1]["type"] == "finished"
    assert events[-1]["metrics"]["test"]["auc"] > 0.6
    assert [event["type"] for event in job.events(1)] == ["ready", "ready"]
    assert job.folder.result.exists()


def test_a_rank_that_fails_says_why_and_the_run_ends(tmp_path: Path, processes: list[subprocess.Popen[bytes]]) -> None:
    job = Job(tmp_path, "spec.train.dense_optimizer={type: sgd, learning_rate: 1e30}")
    job.go()
    process = job.start()
    processes.append(process)
    process.communicate(timeout=90)
    assert process.returncode != 0
    failures = [event for rank in range(2) for event in job.events(rank) if event["type"] == "failed"]
    first = min(failures, key=lambda event: event["time"])
    assert first["error"].startswith("the loss is")
    assert "clip_grad_norm" in first["help"]
    assert "meter.py" in first["traceback"]
    assert first["step"] is not None


def test_a_waiting_rank_leaves_quietly_when_the_run_is_given_up(
    tmp_path: Path, processes: list[subprocess.Popen[bytes]]
) -> None:
    job = Job(tmp_path, num_ranks=1)
    process = job.start()
    processes.append(process)
    job.wait_for_event(0)
    job.folder.abort.touch()
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0, output.decode()
    assert [event["type"] for event in job.events(0)] == ["ready"]


def test_a_waiting_rank_leaves_when_its_parent_dies(tmp_path: Path) -> None:
    job = Job(tmp_path, num_ranks=1)
    command = [sys.executable, "-m", "recplat.runtime", str(job.folder.path)]
    parent = subprocess.Popen([sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])", *command])
    job.wait_for_event(0)
    child = int(Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while _is_running(child):
        assert time.monotonic() < deadline, "the orphan still waits"
        time.sleep(0.05)
    assert [event["type"] for event in job.events(0)] == ["ready"]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
