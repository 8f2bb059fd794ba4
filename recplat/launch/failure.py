"""Why a run failed: the first cause over all ranks, told so that a person can act on it."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from recplat.diagnostics import Diagnostic, Problems
from recplat.launch.ranks import Ranks, rank_log
from recplat.tracking.events import AnyEvent, Failed
from recplat.tracking.run_folder import RunFolder

_TAIL_LINES = 8
_TAIL_CHARACTERS = 160  # of a line; crash reports list every extension module in one
#: One entry of the report that torchrun ends with; the exit code is negative for a signal.
_ENTRY = re.compile(r"rank\s*:\s*(?P<rank>\d+) \(local_rank.*?exitcode\s*:\s*(?P<code>-?\d+)", re.DOTALL)
_SIGNAL_HELP = {
    "SIGKILL": "most often the system had no memory left (`dmesg | grep -i oom` tells): lower `train.batch_size`, "
    "use fewer ranks, or give the container more memory",
    "SIGSEGV": "a library crashed; the log shows where",
    "SIGBUS": "shared memory or a disk is full: look at `df -h /dev/shm` and the project's disk",
    "SIGABRT": "a library gave up; the log shows why",
}

_LOG_HELP = "the log tells more; `recplat doctor` tells whether torch, torchrec and fbgemm work on this machine"


class Exit(Struct, frozen=True):
    rank: int
    code: int  # negative: the number of the signal that ended it


class RunFailed(Problems):
    """A run that ended before its result. `traceback` is the failed rank's own, where it could tell."""

    traceback: str | None = None


def run_failure(folder: RunFolder, events: Sequence[AnyEvent], ranks: Ranks) -> RunFailed:
    """The cause of a failure, once all ranks have ended.

    A rank that a signal has ended tells nothing itself and makes its peers complain of a lost connection, so such a
    signal comes first; then the earliest failure that a rank tells; then what torchrun knows.
    """
    exits = () if ranks.were_stopped else rank_exits(folder)
    told = sorted((event for event in events if isinstance(event, Failed)), key=lambda event: event.time)
    silent = [exit for exit in exits if all(event.rank != exit.rank for event in told)]
    # torchrun ends the other ranks with SIGTERM.
    killed = [exit for exit in silent if exit.code < 0 and exit.code != -signal.SIGTERM]
    if killed:
        return RunFailed([_died(folder, killed[0])])
    if told:
        failed = RunFailed([_told(folder, told[0])])
        failed.traceback = told[0].traceback
        return failed
    silent = [exit for exit in silent if exit.code != -signal.SIGTERM]
    return RunFailed([_died(folder, silent[0]) if silent else _unknown(folder)])


def rank_exits(folder: RunFolder) -> tuple[Exit, ...]:
    """Exit codes of the ranks that failed, from torchrun's report."""
    try:
        report = (folder.logs / "torchrun.log").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ()
    return tuple(Exit(int(found["rank"]), int(found["code"])) for found in _ENTRY.finditer(report))


def _told(folder: RunFolder, event: Failed) -> Diagnostic:
    at = "before its first step" if event.step is None else f"at step {event.step}"
    log = rank_log(folder, event.rank)
    return Diagnostic(
        "rank-failed",
        f"rank {event.rank} failed {at}: {event.error}",
        help=event.help or f"the traceback is in {log}; `--verbose` shows it here",
        notes=(f"log: {log}",) if event.help else (),
    )


def _died(folder: RunFolder, exit: Exit) -> Diagnostic:
    log = _existing_log(folder, exit.rank)
    if exit.code < 0:
        name = signal.Signals(-exit.code).name
        how, remedy = f"was ended by {name}", _SIGNAL_HELP.get(name, "somebody or something ended it from outside")
    else:
        how, remedy = f"ended with exit code {exit.code}", _LOG_HELP
    return Diagnostic("rank-died", f"rank {exit.rank} {how}", help=remedy, notes=(f"log: {log}", *_tail(log)))


def _existing_log(folder: RunFolder, rank: int) -> str:
    """The rank's own, or torchrun's where the rank died before it had opened one."""
    log = rank_log(folder, rank)
    return log if Path(log).exists() else str(folder.logs / "torchrun.log")


def _unknown(folder: RunFolder) -> Diagnostic:
    log = str(folder.logs / "torchrun.log")
    message = "the ranks ended without a result"
    return Diagnostic("rank-died", message, help=_LOG_HELP, notes=(f"log: {log}", *_tail(log)))


def _tail(log: str) -> tuple[str, ...]:
    try:
        lines = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL_LINES:]
    except FileNotFoundError:
        return ()
    return ("last lines of the log:\n" + "\n".join(line[:_TAIL_CHARACTERS] for line in lines),) if lines else ()
