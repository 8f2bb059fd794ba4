"""Runs of a tracking store that recplat has recorded there, for those that have no folder here."""

from __future__ import annotations

from typing import Any

from recplat.diagnostics import Problems
from recplat.tracking.record import Record
from recplat.tracking.stores import (
    check_answers,
    import_mlflow,
    open_client,
    reason,
    store_errors,
    unreachable,
    without_password,
)

_NEWEST = 200


def list_remote(uri: str) -> tuple[tuple[Record, dict[str, str]], ...]:
    """The newest runs of recplat in a store, with their parameters; takes seconds, since MLflow is imported.

    Raises:
        Problems: the store can't be used.
    """
    check_answers(uri)
    import_mlflow()
    try:
        client = open_client(uri)
        experiments = [each.experiment_id for each in client.search_experiments()]
        runs = client.search_runs(
            experiments, "tags.`recplat.run_id` != ''", max_results=_NEWEST, order_by=["attributes.start_time DESC"]
        )
    except store_errors() as error:
        raise Problems([unreachable(uri, reason(error))]) from None
    return tuple((_record(run, uri), dict(run.data.params)) for run in runs)


def _record(run: Any, uri: str) -> Record:
    info, tags = run.info, run.data.tags
    return Record(
        run_id=tags["recplat.run_id"],
        name=info.run_name,
        status=info.status,
        created=info.start_time / 1000,
        seconds=None if info.end_time is None else (info.end_time - info.start_time) / 1000,
        metrics=dict(run.data.metrics),
        spec_file=tags.get("mlflow.source.name"),
        git_revision=tags.get("recplat.git_revision"),
        error=None,
        gates=tags.get("recplat.gates"),
        folder=None,
        tracking_uri=without_password(uri),
        mlflow_run_id=info.run_id,
    )
