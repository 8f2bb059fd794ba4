"""The processes of a run: torchrun and one process for each rank."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from recplat.lang.shapes import Device
from recplat.tracking.processes import RUN_MARK, kill_processes_of, processes_of
from recplat.tracking.run_folder import RunFolder

RUNTIME = "recplat.runtime"

_CHILD = "recplat.launch.child"
#: Ctrl-C promises that all is over within 5 s; ranks have this much of it to leave by themselves.
_GRACE_S = 2.0
_POLL_S = 0.05


class Ranks:
    """torchrun with its ranks, all of which carry the run's folder in their environment."""

    def __init__(self, folder: RunFolder, process: subprocess.Popen[bytes]) -> None:
        self._folder = folder
        self._process = process
        #: Whether it was us who ended them, so that their exit codes say nothing of them.
        self.were_stopped = False

    def exit_code(self) -> int | None:
        """torchrun's exit code; None while it runs."""
        return self._process.poll()

    def stop(self, grace_s: float = _GRACE_S) -> None:
        """End everything: with SIGTERM, and after `grace_s` with SIGKILL. Safe to call again at any time."""
        self.were_stopped |= self._process.poll() is None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + grace_s
        while time.monotonic() < deadline and self._is_anything_left():
            time.sleep(_POLL_S)
        self.kill()

    def kill(self) -> None:
        """End everything at once, loader processes of the ranks included."""
        self.were_stopped |= self._process.poll() is None
        self._process.kill()
        kill_processes_of(self._folder.path)
        self._process.wait()

    def _is_anything_left(self) -> bool:
        return self._process.poll() is None or any(True for _ in processes_of(self._folder.path))


def start_ranks(folder: RunFolder, device: Device, module: str = RUNTIME) -> Ranks:
    """Start `module` once for each rank; the ranks import their libraries and then wait for `go.json`."""
    folder.events.mkdir(parents=True, exist_ok=True)
    folder.logs.mkdir(exist_ok=True)
    child = [sys.executable, "-m", _CHILD]
    torchrun = [str(folder.logs / "torchrun.log"), "torch.distributed.run", "--standalone", "--nnodes", "1"]
    torchrun += ["--nproc-per-node", str(device.num_ranks), "-m", _CHILD]
    rank = [str(folder.logs / "rank-{rank}.log"), module, str(folder.path)]
    environment = os.environ | {
        RUN_MARK: str(folder.path),
        "RECPLAT_PARENT": str(os.getpid()),
        "OMP_NUM_THREADS": str(device.cpus_per_rank),
        # Threads that wait sleep: where another program has a core, spinning ones cost most of the speed. DeepFM on
        # ml-100k, 2 threads on 2 busy cores: 57,000 rows/s against 8,000.
        "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "PASSIVE"),
        "PYTHONUNBUFFERED": "1",
        "PYTHONFAULTHANDLER": "1",
        # `python -m` looks into the current folder first, where a user's `queue.py` would replace Python's own.
        "PYTHONSAFEPATH": "1",
    }
    process = subprocess.Popen(
        child + torchrun + rank,
        env=environment,
        stdin=subprocess.DEVNULL,
        # Ctrl-C goes to everything in the terminal's foreground group; the launcher alone shall decide.
        start_new_session=True,
    )
    return Ranks(folder, process)


def rank_log(folder: RunFolder, rank: int) -> str:
    return str(folder.logs / f"rank-{rank}.log")
