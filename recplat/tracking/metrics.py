"""Events as metrics: the names are public and stable."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from recplat.tracking.events import AnyEvent, Checkpointed, Evaluated, Finished, Step
from recplat.tracking.params import key_for


class Metric(Struct, frozen=True):
    name: str
    value: float
    time: float  # seconds since the epoch
    step: int


def metrics_of(event: AnyEvent) -> tuple[Metric, ...]:
    """What an event measures; undefined and infinite values are left out, since stores disagree about them."""
    step = getattr(event, "step", None)
    if step is None:
        return ()
    return tuple(
        Metric(key_for(name), float(value), event.time, step)
        for name, value in _values(event)
        if value is not None and math.isfinite(value)
    )


def _values(event: AnyEvent) -> Iterator[tuple[str, float | None]]:
    match event:
        case Step():
            yield "train/loss", event.loss
            yield "train/epoch", event.epoch
            yield "train/learning_rate_dense", event.dense_learning_rate
            yield "train/learning_rate_embedding", event.embedding_learning_rate
            yield "perf/samples_per_second", event.rows_per_second
            yield "perf/loader_wait_fraction", event.loader_wait_fraction
            yield "system/rank0_memory_bytes", event.memory_bytes
        case Evaluated():
            for name, value in event.metrics.items():
                yield f"{event.part}/{name}", value
            yield f"perf/{event.part}_seconds", event.seconds
        case Checkpointed():
            yield "perf/checkpoint_seconds", event.seconds
        case Finished():
            yield "train/best_step", event.best_step
            if event.num_rows:  # a resumed run may have had nothing left to train
                yield "perf/train_seconds", event.train_seconds
                yield "perf/train_samples_per_second", event.rows_per_second
            for name, value in event.metrics.get("eval", {}).items():
                yield f"best/{name}", value
        case _:
            return
