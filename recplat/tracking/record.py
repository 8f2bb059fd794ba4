"""What is known of a run afterwards, from its folder: no store is asked, so it costs milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from recplat.tracking.checkpoints import complete_checkpoints
from recplat.tracking.event_files import read_events
from recplat.tracking.events import AnyEvent, Evaluated, Finished, Step
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.params import flatten
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import read_state


class Record(Struct, frozen=True, kw_only=True):
    """A run. `metrics` are named as in MLflow; `folder` is None for one that is known from MLflow only."""

    run_id: str
    name: str
    status: str
    created: float  # seconds since the epoch, UTC
    seconds: float | None  # of all attempts up to the end; None while it goes on
    metrics: dict[str, float | None]
    spec_file: str | None
    git_revision: str | None
    error: str | None
    gates: str | None  # "met" or "missed: …"; None without gates
    folder: str | None
    tracking_uri: str | None
    mlflow_run_id: str | None


def read_record(folder: RunFolder) -> Record | None:
    """The record of a run that has a folder; None where its state can't be read."""
    state, place = read_state(folder), read_place(folder)
    if state is None:
        return None
    return Record(
        run_id=state.run_id,
        name=state.name,
        status=state.status,
        created=state.created,
        seconds=None if state.ended is None else state.ended - state.created,
        metrics=_metrics(folder),
        spec_file=state.spec_file,
        git_revision=state.git_revision,
        error=state.error,
        gates=state.gates,
        folder=str(folder.path),
        tracking_uri=place.uri if place else None,
        mlflow_run_id=place.mlflow_run_id if place else None,
    )


def read_fields(folder: RunFolder) -> dict[str, str]:
    """The normal form by path; empty where the run did not get so far."""
    try:
        return flatten(msgspec.json.decode(folder.normal_form.read_bytes()))
    except FileNotFoundError:
        return {}


def read_plan(folder: RunFolder) -> dict[str, Any] | None:
    """The plan as plain values: the run may have used a catalog that is no longer there."""
    try:
        plan: dict[str, Any] = msgspec.json.decode(folder.plan.read_bytes())
    except FileNotFoundError:
        return None
    return plan


def artifact_files(folder: RunFolder) -> tuple[Path, ...]:
    """Files of a run that a person may want to open; complete checkpoints by their folders."""
    wanted = (*sorted(folder.spec.glob("*")), folder.plan, folder.statistics, folder.result)
    checkpoints = complete_checkpoints(folder.checkpoints)
    logs = sorted(folder.logs.glob("*.log"))
    return tuple(path for path in (*wanted, *sorted(folder.plots.glob("*")), *checkpoints, *logs) if path.exists())


def _metrics(folder: RunFolder) -> dict[str, float | None]:
    try:
        result = msgspec.json.decode(folder.result.read_bytes(), type=AnyEvent)
    except FileNotFoundError:
        return _metrics_so_far(folder)
    assert isinstance(result, Finished)
    metrics = {f"{part}/{name}": value for part, values in result.metrics.items() for name, value in values.items()}
    speed: dict[str, float | None] = {
        "perf/samples_per_second": result.rows_per_second,
        "perf/loader_wait_fraction": result.loader_wait_fraction,
        "perf/train_seconds": result.train_seconds,
    }
    # A resumed run may have had nothing left to train.
    return metrics | (speed if result.num_rows else {}) | {"train/steps": result.step}


def _metrics_so_far(folder: RunFolder) -> dict[str, float | None]:
    metrics: dict[str, float | None] = {}
    for event in read_events(folder):
        if isinstance(event, Evaluated):
            metrics |= {f"{event.part}/{name}": value for name, value in event.metrics.items()}
        elif isinstance(event, Step):
            metrics |= {"train/steps": event.step, "perf/samples_per_second": event.rows_per_second}
    return metrics
