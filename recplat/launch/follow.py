"""Follows the ranks until they have ended: shows and records what they tell."""

from __future__ import annotations

import time

from recplat.diagnostics import Diagnostic
from recplat.lang.units import parse_seconds
from recplat.launch.failure import RunFailed, run_failure
from recplat.launch.ranks import Ranks
from recplat.launch.types import Run
from recplat.tracking.event_files import read_events
from recplat.tracking.events import AnyEvent, Evaluated, Failed, Finished

_POLL_S = 0.1
#: torchrun sends SIGTERM to the peers of a failed rank and waits half a minute for one that is stuck in a collective.
_AFTER_FAILURE_S = 5.0


def follow(this: Run, ranks: Ranks) -> Finished:
    """Show and record events until all ranks have ended; returns the result.

    Raises:
        RunFailed: a rank failed, or the time limit is over.
    """
    result, failed_at = None, None
    undefined: set[str] = set()
    while True:
        exit_code = ranks.exit_code()  # before reading, so that what is read last is complete
        for event in tell_events(this):
            _note_undefined(event, undefined, this)
            if isinstance(event, Finished):
                result = event
            elif isinstance(event, Failed):
                failed_at = failed_at or time.monotonic()
        if exit_code is not None:
            break
        check_time_limit(this)
        if failed_at is not None and time.monotonic() - failed_at > _AFTER_FAILURE_S:
            ranks.kill()
        time.sleep(_POLL_S)
    if exit_code != 0 or result is None:
        raise run_failure(this.folder, read_events(this.folder), ranks)
    if result.reason == "stopped":
        raise RunFailed([_stopped(result)])
    return result


def check_time_limit(this: Run) -> None:
    """
    Raises:
        RunFailed: the run has gone on for longer than it may.
    """
    limit = this.loaded.job.spec.resources.time_limit
    if limit and time.time() > this.journal.state.started + parse_seconds(limit):
        raise RunFailed([_time_limit(limit)])


def tell_events(this: Run) -> list[AnyEvent]:
    """Record and show what is new of the ranks' events, and return it."""
    events = this.events.read()
    for event in events:  # all of them before any is shown, so that a signal in between loses none
        this.tracker.event(event)
    for event in events:
        this.display.event(event)
    return events


def _note_undefined(event: AnyEvent, known: set[str], this: Run) -> None:
    if isinstance(event, Evaluated):
        names = [f"{event.part}/{name}" for name, value in event.metrics.items() if value is None]
        if new := [name for name in names if name not in known]:
            known.update(new)
            this.display.note(f"undefined, so not recorded: {', '.join(new)}")


def _stopped(result: Finished) -> Diagnostic:
    return Diagnostic(
        "run-stopped",
        f"a rank was told to stop, not by recplat, and training ended early at step {result.step}",
        help="find out who sends SIGTERM, often a scheduler; `recplat apply SPEC --resume` goes on from the newest "
        "checkpoint",
    )


def _time_limit(limit: str) -> Diagnostic:
    return Diagnostic(
        "time-limit",
        f"the run was still going after {limit}",
        help="raise `spec.resources.time_limit`; `recplat apply SPEC --resume` goes on from the newest checkpoint",
        path="spec.resources.time_limit",
    )
