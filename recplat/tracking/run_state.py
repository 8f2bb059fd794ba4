"""`run.json`: what state a run is in, and which process answers for it."""

from __future__ import annotations

import os
import threading
import time
from typing import Any, Literal

import msgspec
from msgspec import Struct

from recplat.tracking.processes import Process, is_alive, is_visible
from recplat.tracking.run_folder import RunFolder

#: MLflow's words; PREPARING is a run of ours before MLflow knows of it.
Status = Literal["PREPARING", "RUNNING", "FINISHED", "FAILED", "KILLED"]

HEARTBEAT_S = 15.0
#: A run whose process can't be looked up from here counts as gone after this long without a heartbeat.
SILENCE_S = 300.0


class RunState(Struct, frozen=True, kw_only=True):
    """`run.json`. Times are seconds since the epoch, UTC."""

    run_id: str
    name: str
    status: Status
    process: Process
    created: float
    started: float  # of the latest attempt
    ended: float | None = None
    attempt: int = 1
    spec_file: str
    git_revision: str | None = None
    error: str | None = None
    gates: str | None = None  # "met" or "missed: …", once they are known; None without gates

    @property
    def has_ended(self) -> bool:
        return self.status in ("FINISHED", "FAILED", "KILLED")


def read_state(folder: RunFolder) -> RunState | None:
    """The state of a run; None where there is no run, or what a power cut left of its state can't be read."""
    try:
        return msgspec.json.decode(folder.state.read_bytes(), type=RunState)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def is_abandoned(folder: RunFolder, state: RunState) -> bool:
    """Whether a run that hasn't ended has lost the process that would end it."""
    if state.has_ended:
        return False
    if is_visible(state.process):
        return not is_alive(state.process)
    return time.time() - folder.state.stat().st_mtime > SILENCE_S


class Journal:
    """Keeps `run.json` of a run that this process answers for; the file's time is the heartbeat."""

    def __init__(self, folder: RunFolder, state: RunState) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.state = state
        folder.write(folder.state, state)
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    def update(self, **changes: Any) -> None:
        """Change fields of the state, on disk too."""
        with self._lock:
            self.state = msgspec.structs.replace(self.state, **changes)
            self._folder.write(self._folder.state, self.state)

    def stop(self) -> None:
        """Send no more heartbeats."""
        self._ended.set()

    def end(self, status: Status, error: str | None = None) -> None:
        self.stop()
        self.update(status=status, error=error, ended=time.time())

    def _beat(self) -> None:
        while not self._ended.wait(HEARTBEAT_S):
            try:
                os.utime(self._folder.state)
            except FileNotFoundError:  # somebody has removed the folder
                return
