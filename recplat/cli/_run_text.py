"""Runs and their results as text."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from recplat.cli._table import columns, facts
from recplat.lang.units import format_seconds

if TYPE_CHECKING:
    from recplat.launch import Result

_GOOD, _BAD = "green", "red"


def result_text(result: Result, *, color: bool) -> str:
    """The end of `recplat apply`: figures, gates, and the commands that go on from here."""
    pairs = [
        *_run_facts(result),
        *(
            (
                "gate",
                f"{gate.gate}: {paint('met' if gate.is_met else 'missed', gate.is_met, color)}, {gate.value_words}",
            )
            for gate in result.gates
        ),
        ("folder", result.folder),
    ]
    sections = [f"run {result.run_id}  {result.name}  {paint('FINISHED', True, color)}", metrics_text(result.metrics)]
    sections += [facts(pairs), next_commands(result.run_id, result.tracking_uri)]
    return "\n\n".join(section for section in sections if section)


def _run_facts(result: Result) -> list[tuple[str, str]]:
    steps = f"{result.steps:,} ({result.reason})" + best_words(result.best_step)
    time = format_seconds(result.seconds)
    if not result.num_rows:  # a resumed run may have had nothing left to train
        return [("steps", steps), ("time", f"{time}, no step was left to train")]
    return [
        ("samples/s", f"{result.samples_per_second:,.0f}"),
        ("steps", steps),
        ("loader wait", f"{result.loader_wait_fraction:.1%}"),
        ("time", f"{time}, of which training {format_seconds(result.train_seconds)}"),
    ]


def metrics_text(metrics: Mapping[str, Mapping[str, float | None]]) -> str:
    """Metrics as rows, parts as columns; "" without any."""
    names = list(dict.fromkeys(name for part in metrics.values() for name in part))
    if not names:
        return ""
    rows = [["metric", *metrics], *([name, *(number(part.get(name)) for part in metrics.values())] for name in names)]
    return columns(rows, right=range(1, len(metrics) + 1))


def next_commands(run_id: str, tracking_uri: str | None) -> str:
    """What to type next, to be copied as it stands."""
    lines = [("details", f"recplat runs show {run_id}")]
    if tracking_uri and tracking_uri.startswith(("http://", "https://")):
        lines.append(("MLflow", tracking_uri))
    elif tracking_uri:
        lines.append(("MLflow", f"mlflow ui --workers 1 --backend-store-uri {shlex.quote(tracking_uri)}"))
    return facts(lines)


def best_words(step: int | None) -> str:
    return "" if step is None else f", best at step {step:,}"


def number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.5g}"


def paint(text: str, is_good: bool, color: bool) -> str:
    return click.style(text, fg=_GOOD if is_good else _BAD) if color else text
