"""Pictures of a run: training loss, metrics over steps, ROC and calibration curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from recplat.tracking.events import AnyEvent, Curves, Evaluated, Step

_BLUE, _ORANGE, _GRAY = "#2563eb", "#ea580c", "#9ca3af"
_STYLE: Any = {
    "figure.figsize": (7.2, 4.5),
    "figure.dpi": 130,
    "font.size": 11,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e5e7eb",
    "axes.axisbelow": True,
    "axes.edgecolor": _GRAY,
    "lines.linewidth": 2,
    "legend.frameon": False,
}


def draw_plots(events: Sequence[AnyEvent], folder: Path, title: str) -> tuple[Path, ...]:
    """Draw what the events hold; returns the files. Imports matplotlib, which takes a second."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    folder.mkdir(exist_ok=True)
    written = []
    for name, draw in _pictures(events):
        # Figures of their own, not pyplot's, which keeps state for the whole process.
        with mpl.rc_context(_STYLE):
            figure = Figure(layout="constrained")
            FigureCanvasAgg(figure)
            draw(figure)
            figure.suptitle(title, x=0.99, ha="right", fontsize=9, color=_GRAY)
            figure.savefig(folder / f"{name}.png")
        written.append(folder / f"{name}.png")
    return tuple(written)


def _pictures(events: Sequence[AnyEvent]) -> Iterator[tuple[str, Callable[[Any], None]]]:
    steps = [event for event in events if isinstance(event, Step) and math.isfinite(event.loss)]
    evaluated = [event for event in events if isinstance(event, Evaluated) and event.part == "eval"]
    if steps:
        yield "loss", partial(_loss, steps=steps, evaluated=evaluated)
    if evaluated:
        yield "metrics", partial(_metrics, evaluated=evaluated)
    # The test part where there is one, else the latest evaluation.
    latest = {(curves.part, name): points for curves in _curves(events) for name, points in curves.curves.items()}
    for name, draw in (("roc", _roc), ("calibration", _calibration)):
        part = "test" if ("test", name) in latest else "eval"
        if points := latest.get((part, name)):
            label = f"AUC {auc:.4f}" if name == "roc" and (auc := _auc(events, part)) is not None else "model"
            yield name, partial(draw, points=points, part=part, label=label)


def _auc(events: Sequence[AnyEvent], part: str) -> float | None:
    found = [event.metrics.get("auc") for event in events if isinstance(event, Evaluated) and event.part == part]
    return found[-1] if found else None


def _curves(events: Sequence[AnyEvent]) -> Iterator[Curves]:
    return (event for event in events if isinstance(event, Curves))


def _loss(figure: Any, *, steps: Sequence[Step], evaluated: Sequence[Evaluated]) -> None:
    axes = figure.add_subplot(title="Loss", xlabel="step", ylabel="log loss (nats)")
    axes.plot([s.step for s in steps], [s.loss for s in steps], color=_BLUE, alpha=0.3, linewidth=1)
    axes.plot([s.step for s in steps], smooth(steps), color=_BLUE, label="train, smoothed")
    points = [(e.step, e.metrics["logloss"]) for e in evaluated if e.metrics.get("logloss") is not None]
    if points:
        axes.plot(*zip(*points, strict=True), "o-", color=_ORANGE, label="eval", markersize=5)
    axes.legend()


def _metrics(figure: Any, *, evaluated: Sequence[Evaluated]) -> None:
    names = [name for name in evaluated[0].metrics if any(e.metrics.get(name) is not None for e in evaluated)]
    columns = min(2, len(names)) or 1
    rows = max(1, math.ceil(len(names) / columns))
    figure.set_size_inches(4.2 * columns + 0.4, 2.6 * rows + 0.4)
    for place, name in enumerate(names, start=1):
        points = [(e.step, e.metrics[name]) for e in evaluated if e.metrics.get(name) is not None]
        axes = figure.add_subplot(rows, columns, place, title=name, xlabel="step")
        axes.plot(*zip(*points, strict=True), "o-", color=_BLUE, markersize=4)
        if best := [(e.step, e.metrics[name]) for e in evaluated if e.is_best and e.metrics.get(name) is not None]:
            axes.plot(*best[-1], "o", color=_ORANGE, markersize=9, markerfacecolor="none", markeredgewidth=2)


def _roc(figure: Any, *, points: Sequence[tuple[float, float]], part: str, label: str) -> None:
    figure.set_size_inches(5.2, 5)
    axes = figure.add_subplot(
        title=f"ROC, {part}", xlabel="false positive rate", ylabel="true positive rate", xlim=(0, 1), ylim=(0, 1)
    )
    axes.plot([0, 1], [0, 1], color=_GRAY, linestyle="--", linewidth=1, label="by chance")
    axes.plot(*zip(*points, strict=True), color=_BLUE, label=label)
    axes.set_aspect("equal")
    axes.legend(loc="lower right")


def _calibration(figure: Any, *, points: Sequence[tuple[float, float]], part: str, label: str) -> None:
    top = max(max(x, y) for x, y in points) * 1.05 or 1.0
    figure.set_size_inches(5.2, 5)
    axes = figure.add_subplot(
        title=f"Calibration, {part}", xlabel="mean prediction", ylabel="fraction positive", xlim=(0, top), ylim=(0, top)
    )
    axes.plot([0, top], [0, top], color=_GRAY, linestyle="--", linewidth=1, label="perfect")
    axes.plot(*zip(*points, strict=True), "o-", color=_BLUE, markersize=5, label=label)
    axes.set_aspect("equal")
    axes.legend(loc="upper left")


def smooth(steps: Sequence[Step], share: float = 0.02) -> list[float]:
    """An exponential mean of the losses over a share of all steps, without the bias towards its start.

    An event counts by the steps that it speaks for, so that neither few long ones lag behind nor short ones stand out.
    """
    reach = max(1.0, share * (steps[-1].step - steps[0].step))
    total, weight, before, out = 0.0, 0.0, steps[0].step - 1, []
    for step in steps:
        keep = math.exp((before - step.step) / reach)
        total, weight, before = keep * total + (1 - keep) * step.loss, keep * weight + (1 - keep), step.step
        out.append(total / weight)
    return out
