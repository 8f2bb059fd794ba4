"""Progress as plain lines, for files, pipes and CI."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from recplat.lang.units import format_seconds
from recplat.launch.display import READY_WORDS, Progress, Totals, event_words, rows_words, step_words
from recplat.plan.types import Plan
from recplat.tracking.events import AnyEvent, Ready, Step

_INTERVAL_S = 10.0


class Lines:
    """Writes a line for each phase, for what happens once, and every ten seconds for the steps."""

    def __init__(self, stream: TextIO, interval_s: float = _INTERVAL_S) -> None:
        self._stream = stream
        self._interval_s = interval_s
        self._last = time.monotonic()
        self._totals = Totals()

    def started(self, run_id: str, folder: str) -> None:
        self.note(f"run {run_id} in {folder}")

    @contextmanager
    def phase(self, name: str) -> Iterator[Progress]:
        start = time.monotonic()
        yield self._progress
        self.note(f"{name}: {format_seconds(time.monotonic() - start)}")

    def _progress(self, what: str, num_done: int, num_rows: int | None) -> None:
        if self._is_due():
            self.note(f"{what} {rows_words(num_done, num_rows)}")

    def _is_due(self) -> bool:
        is_due = time.monotonic() - self._last >= self._interval_s
        if is_due:
            self._last = time.monotonic()
        return is_due

    def planned(self, plan: Plan) -> None:
        self._totals = Totals(plan)

    def event(self, event: AnyEvent) -> None:
        if isinstance(event, Step):
            if self._is_due():
                self.note("  ".join(step_words(event, self._totals)))
        elif isinstance(event, Ready):
            if event.rank == 0:
                self.note(f"{READY_WORDS[event.phase]}: {format_seconds(event.seconds)}")
        elif words := event_words(event):
            self.note(words)

    def note(self, text: str) -> None:
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        pass
