"""Runs that end before their time: by Ctrl-C, by SIGTERM, by kill -9 of the launcher."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recplat.launch.interrupt import Interrupted, interruptible
from recplat.tracking.abandoned import mark_abandoned
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.processes import processes_of
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import read_state
from recplat.tracking.runs import run_folders

DRIVE = Path(__file__).with_name("drive.py")


def wait_for(holds: Callable[[], object], seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.05)


@pytest.fixture
def stuck_run(project, monkeypatch) -> Iterator[tuple[subprocess.Popen, RunFolder]]:
    """A launcher whose two ranks are stuck, ignore SIGTERM, and have started processes of their own."""
    monkeypatch.setenv("RECPLAT_PLAYED", "stuck")
    launcher = subprocess.Popen([sys.executable, DRIVE, "tiny.yaml"])
    wait_for(lambda: run_folders(project))
    [folder] = run_folders(project)
    wait_for(lambda: (folder.path / "stuck-0").exists() and (folder.path / "stuck-1").exists())
    wait_for(folder.tracking.exists)
    assert len(list(processes_of(folder.path))) >= 5  # torchrun, two ranks, one child each
    yield launcher, folder
    launcher.kill()


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything_within_five_seconds(stuck_run, signum):
    launcher, folder = stuck_run
    start = time.monotonic()
    launcher.send_signal(signum)
    assert launcher.wait(timeout=10) == 130
    # 5 s is promised on an idle machine; the end of Python itself, which the command line skips, comes on top here.
    assert time.monotonic() - start < 7
    assert not list(processes_of(folder.path))
    state = read_state(folder)
    assert (state.status, state.error) == ("KILLED", f"interrupted by {signum.name}")
    assert read_place(folder).status == "KILLED"


def test_the_second_ctrl_c_does_not_wait_for_the_ranks(stuck_run):
    launcher, folder = stuck_run
    launcher.send_signal(signal.SIGINT)
    time.sleep(0.3)
    launcher.send_signal(signal.SIGINT)
    wait_for(lambda: not list(processes_of(folder.path)), seconds=1)
    assert launcher.wait(timeout=10) == 130
    assert read_state(folder).status == "KILLED"


def test_ranks_die_with_a_killed_launcher_and_who_comes_next_marks_the_run(stuck_run, project):
    launcher, folder = stuck_run
    launcher.kill()
    launcher.wait()
    # What the ranks had started in sessions of their own is left over; the ranks and torchrun are not.
    wait_for(lambda: len(list(processes_of(folder.path))) == 2, seconds=5)
    assert read_state(folder).status == "RUNNING"

    [told] = mark_abandoned(project)

    assert folder.path.name in told
    assert read_state(folder).status == "KILLED"
    assert read_place(folder).status == "KILLED"
    wait_for(lambda: not list(processes_of(folder.path)), seconds=5)
    assert mark_abandoned(project) == ()


def test_the_first_signal_raises_and_the_next_kills():
    killed = []
    with interruptible(lambda: killed.append(True)):
        with pytest.raises(Interrupted) as interrupted:
            signal.raise_signal(signal.SIGTERM)
        assert interrupted.value.signal_name == "SIGTERM"
        assert not killed
        signal.raise_signal(signal.SIGINT)
        assert killed
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
