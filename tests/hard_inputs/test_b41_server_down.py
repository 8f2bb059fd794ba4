"""B41: a tracking server that is down at the start stops the run before it begins; later it stops nothing."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recplat.diagnostics import Problems
from recplat.tracking.abandoned import mark_abandoned
from recplat.tracking.events import Evaluated
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.mlflow_tracker import MlflowTracker
from recplat.tracking.processes import this_process
from recplat.tracking.run_state import Journal, RunState
from recplat.tracking.runs import new_run_folder
from recplat.tracking.stores import check_answers, import_mlflow, open_client
from recplat.tracking.tracker import TrackedRun


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[], tuple[str, subprocess.Popen[bytes]]]]:
    """Starts an MLflow server; every call starts it anew on the same store and port."""
    uri = f"http://127.0.0.1:{free_port()}"
    started: list[subprocess.Popen[bytes]] = []

    def start() -> tuple[str, subprocess.Popen[bytes]]:
        command = [sys.executable, "-m", "mlflow", "server", "--workers", "1", "--port", uri.rpartition(":")[2]]
        command += ["--backend-store-uri", f"sqlite:///{tmp_path}/server.db", "--artifacts-destination", str(tmp_path)]
        log = (tmp_path / "server.log").open("ab")
        server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        started.append(server)
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{uri}/health", timeout=1).close()
                return uri, server
            except OSError:
                assert time.monotonic() < deadline, (tmp_path / "server.log").read_text()
                time.sleep(0.2)

    yield start
    for server in started:
        stop(server)


def stop(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        os.killpg(server.pid, 9)
        server.wait()


def evaluated(step: int) -> Evaluated:
    return Evaluated(time=time.time(), step=step, epoch=0, part="eval", num_rows=5, seconds=1.0, metrics={"auc": 0.5})


def test_down_at_the_start_is_an_error_that_names_the_uri_within_ten_seconds():
    uri, start = f"http://127.0.0.1:{free_port()}", time.monotonic()
    with pytest.raises(Problems) as found:
        check_answers(uri)
    assert time.monotonic() - start < 10
    assert uri in found.value.diagnostics[0].message


def test_down_later_is_said_and_the_end_is_recorded_by_who_comes_next(serve, tmp_path, monkeypatch):
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    uri, server = serve()
    folder = new_run_folder(tmp_path)
    state = RunState(
        run_id=folder.path.name, name="tiny", status="RUNNING", process=this_process(), created=time.time(),
        started=time.time(), spec_file="tiny.yaml",
    )  # fmt: skip
    journal = Journal(folder, state)
    notes: list[str] = []
    tracker = MlflowTracker(uri, "tiny", notes.append)
    tracker.wait_until_open()
    run = TrackedRun(folder=folder.path, run_name="tiny", params={}, tags={}, datasets=(), artifacts=())
    tracker.start(run)
    tracker.event(evaluated(1))
    while read_place(folder) is None:
        time.sleep(0.1)
    stop(server)

    tracker.event(evaluated(2))
    time.sleep(3)
    journal.end("FINISHED")
    start = time.monotonic()
    trouble = tracker.finish("FINISHED", timeout_s=30)

    assert time.monotonic() - start < 31
    assert trouble is not None
    assert len(notes) == 1
    assert uri in notes[0]
    assert read_place(folder).status == "RUNNING"

    monkeypatch.setattr("recplat.tracking.abandoned._is_still_recording", lambda state: False)
    [told] = mark_abandoned(tmp_path)
    assert "not recorded there yet" in told
    serve()
    assert mark_abandoned(tmp_path) == ()
    assert read_place(folder).status == "FINISHED"
    import_mlflow()
    assert open_client(uri).get_run(read_place(folder).mlflow_run_id).info.status == "FINISHED"
