"""What a person sees while a run goes on: the interface, and the words that both displays use."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from recplat.lang.units import format_bytes, format_seconds
from recplat.plan.types import Plan
from recplat.tracking.events import AnyEvent, Checkpointed, Evaluated, Noted, Step

#: What a rank says when it is ready, in words; its seconds count from the start of its process.
READY_WORDS = {"imported": "ranks have their libraries", "built": "ranks are ready"}

#: Told what is being done, rows done, rows in all where that is known.
Progress = Callable[[str, int, int | None], None]


class Display(Protocol):
    def started(self, run_id: str, folder: str) -> None: ...

    def phase(self, name: str) -> AbstractContextManager[Progress]:
        """A part of the preparation, timed; what it gives may be told how far it is."""

    def planned(self, plan: Plan) -> None:
        """The plan is known, so steps and epochs have totals."""

    def event(self, event: AnyEvent) -> None: ...

    def note(self, text: str) -> None:
        """Something a person should read."""

    def close(self) -> None: ...


class Totals:
    """How far a run has to go; None where the plan leaves it open."""

    def __init__(self, plan: Plan | None = None) -> None:
        self.num_steps = plan.data.num_steps if plan else None
        self.num_epochs = plan.job.spec.train.epochs if plan else None
        self._first: Step | None = None

    def seconds_left(self, step: Step) -> float | None:
        """By the mean pace since the first step seen, evaluations and checkpoints included; None where unknown."""
        first = self._first = self._first or step
        if self.num_steps is None or not first.step < step.step < self.num_steps:
            return None
        return (self.num_steps - step.step) * (step.time - first.time) / (step.step - first.step)


def step_words(step: Step, totals: Totals) -> list[str]:
    """Progress in words, one item for each figure."""
    left = totals.seconds_left(step)
    return [
        f"step {step.step}" + (f"/{totals.num_steps}" if totals.num_steps else ""),
        f"epoch {step.epoch + 1}" + (f"/{totals.num_epochs}" if totals.num_epochs else ""),
        f"loss {step.loss:.4f}",
        f"{step.rows_per_second:,.0f} samples/s",
        f"loader wait {step.loader_wait_fraction:.0%}",
        f"process memory {format_bytes(step.memory_bytes)}",
        *([f"{format_seconds(left)} left"] if left is not None else []),
    ]


def metrics_words(metrics: dict[str, float | None]) -> str:
    return "  ".join(f"{name} {format_metric(value)}" for name, value in metrics.items())


def format_metric(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def event_words(event: AnyEvent) -> str | None:
    """What is said once of an event, None for those that only move the progress."""
    match event:
        case Evaluated():
            best = "  best" if event.is_best and event.part == "eval" else ""
            return f"{event.part} at step {event.step}: {metrics_words(event.metrics)}{best}"
        case Checkpointed():
            return f"checkpoint at step {event.step}: {format_seconds(event.seconds)}"
        case Noted():
            return f"note[{event.code}]: {event.message}"
        case _:
            return None


def rows_words(num_done: int, num_rows: int | None) -> str:
    share = f" of {num_rows:,}" if num_rows else ""
    return f"{num_done:,}{share} rows"
