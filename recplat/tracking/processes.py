"""Which process a run belongs to, and whether that very process still lives. Linux: it reads /proc."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

#: Environment variable that marks the processes of a run; its value is the run's folder.
RUN_MARK = "RECPLAT_RUN"


class Process(Struct, frozen=True, kw_only=True):
    """A process, told apart from a later one with the same number."""

    pid: int
    start_ticks: int  # since boot, in clock ticks
    boot_id: str
    pid_namespace: str  # containers count their processes apart


def this_process() -> Process:
    ticks = _start_ticks(os.getpid())
    assert ticks is not None
    return Process(pid=os.getpid(), start_ticks=ticks, boot_id=_boot_id(), pid_namespace=_pid_namespace())


def is_visible(process: Process) -> bool:
    """Whether it could be seen from here: same boot of the same machine, same container."""
    return process.boot_id == _boot_id() and process.pid_namespace == _pid_namespace()


def is_alive(process: Process) -> bool:
    """Whether it runs; meaningful only where it `is_visible`."""
    return _start_ticks(process.pid) == process.start_ticks


def processes_of(run: Path) -> Iterator[int]:
    """Processes of a run, by the mark in their environment, however they have regrouped since; not this one."""
    wanted = f"{RUN_MARK}={run}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:  # it has ended meanwhile, or belongs to somebody else
            continue
        if wanted in environment.split(b"\0"):
            yield int(folder.name)


def kill_processes_of(run: Path) -> None:
    for pid in processes_of(run):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _start_ticks(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The command's name stands in brackets and may hold anything; state and 19 numbers later comes the start.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else int(fields[19])


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _pid_namespace() -> str:
    return str(Path("/proc/self/ns/pid").readlink())
