"""Progress on a terminal: a live block at the bottom, with what happens once scrolling above it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live as RichLive
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from recplat.lang.units import format_seconds
from recplat.launch.display import READY_WORDS, Progress, Totals, event_words, rows_words, step_words
from recplat.plan.types import Plan
from recplat.tracking.events import AnyEvent, Evaluated, Finished, Ready, Step


class _Phase:
    """A part of the preparation that goes on."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._spinner = Spinner("dots")
        self.progress = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._since

    def render(self, name: str) -> RenderableType:
        self._spinner.update(text=Text(f"{name} {format_seconds(self.seconds)}  {self.progress}"))
        return self._spinner


class Live:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._totals = Totals()
        self._step: Step | None = None
        self._running: dict[str, _Phase] = {}
        self._live = RichLive(console=console, get_renderable=self._render, refresh_per_second=8, transient=True)
        self._live.start()

    def started(self, run_id: str, folder: str) -> None:
        self.note(f"run {run_id} in {folder}")
        self._running["ranks import their libraries"] = _Phase()

    @contextmanager
    def phase(self, name: str) -> Iterator[Progress]:
        def progress(what: str, num_done: int, num_rows: int | None) -> None:
            phase.progress = rows_words(num_done, num_rows)

        phase = self._running[name] = _Phase()
        try:
            yield progress
        finally:
            del self._running[name]
        self._done(name, phase.seconds)

    def planned(self, plan: Plan) -> None:
        self._totals = Totals(plan)

    def event(self, event: AnyEvent) -> None:
        if isinstance(event, Step):
            self._running.clear()
            self._step = event
        elif isinstance(event, Ready):
            self._ready(event)
        elif isinstance(event, Finished):
            self._step = None
            self._running["plots and MLflow"] = _Phase()
        elif words := event_words(event):
            style = "green" if isinstance(event, Evaluated) and event.is_best else ""
            self._console.print(Text(words, style=style))

    def note(self, text: str) -> None:
        self._console.print(Text(text), soft_wrap=True)

    def close(self) -> None:
        self._live.stop()

    def _ready(self, event: Ready) -> None:
        if event.rank != 0:
            return
        if event.phase == "imported":
            self._running.pop("ranks import their libraries", None)
            self._running["ranks build the model"] = _Phase()
        else:
            self._running.pop("ranks build the model", None)
        self._done(READY_WORDS[event.phase], event.seconds)

    def _done(self, name: str, seconds: float) -> None:
        self._console.print(Text.assemble(("✓ ", "green"), f"{name} ", (format_seconds(seconds), "dim")))

    def _render(self) -> RenderableType:
        if self._step is None:
            return Group(*(phase.render(name) for name, phase in list(self._running.items())))
        words = step_words(self._step, self._totals)
        line = Table.grid(padding=(0, 2))
        line.add_row(*words[:1], _bar(self._step, self._totals), *words[1:4])
        return Group(line, Text("  ".join(words[4:]), style="dim"))


def _bar(step: Step, totals: Totals) -> ProgressBar:
    return ProgressBar(total=totals.num_steps, completed=step.step, width=24, pulse=totals.num_steps is None)
