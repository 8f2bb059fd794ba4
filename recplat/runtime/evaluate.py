"""Metrics of a part over all rows of all ranks, in fp32.

N: rows of the part. Rows are brought together on the first rank in the order of the part, so that a metric depends on
neither the batch size nor the number of ranks; every rank is told the result.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from msgspec import Struct

from recplat.catalog import Catalog
from recplat.catalog.toggles.precision.impl import tf32
from recplat.data.batches import HostBatch
from recplat.data.curves import curves
from recplat.lang.kinds import Metric
from recplat.lang.predictions import Predictions
from recplat.runtime.batch import Batches
from recplat.runtime.ranks import Ranks


class Evaluation(Struct, frozen=True, kw_only=True):
    """The same on every rank; `curves` on the first alone."""

    num_rows: int
    seconds: float
    metrics: dict[str, float | None]
    curves: dict[str, list[tuple[float, float]]]


def evaluate(
    model: Any,
    batches: Batches,
    part: Iterator[HostBatch],
    metrics: tuple[Metric, ...],
    catalog: Catalog,
    ranks: Ranks,
) -> Evaluation:
    """Score a part and compute metrics. All ranks must be given the same number of batches."""
    start = time.monotonic()
    predictions = _gather(_score(model, batches, part, ranks.device), ranks)
    result: list[Any] = [None]
    if predictions is not None:
        values = {
            metric.metric_name(): catalog.implementation(metric, "compute").compute(metric, predictions)
            for metric in metrics
        }
        result[0] = (len(predictions.labels_N), values)
    if ranks.world_size > 1:
        dist.broadcast_object_list(result, src=0, group=ranks.control)
    num_rows, values = result[0]
    return Evaluation(
        num_rows=num_rows,
        seconds=time.monotonic() - start,
        metrics=values,
        curves={} if predictions is None else curves(predictions),
    )


@torch.no_grad()
def _score(model: Any, batches: Batches, part: Iterator[HostBatch], device: torch.device) -> dict[str, torch.Tensor]:
    """Columns of this rank's rows: `batch` (number of the global batch), `logits`, `labels`, `weights`, `group:…`."""
    columns: dict[str, list[torch.Tensor]] = {}
    model.eval()
    with tf32("fp32"):
        for host in part:
            batch = batches.make(host).to(device, non_blocking=True)
            logits_B = model.module.score(batch)
            row = {"batch": torch.full((len(batch.labels_B),), batch.index), "logits": logits_B.cpu()}
            row["labels"] = torch.from_numpy(host.labels)
            if host.weights is not None:
                row["weights"] = torch.from_numpy(host.weights)
            row |= {f"group:{name}": torch.from_numpy(values) for name, values in host.groups.items()}
            for name, values in row.items():
                columns.setdefault(name, []).append(values)
    model.train()
    return {name: torch.cat(parts) for name, parts in columns.items()}


def _gather(columns: dict[str, torch.Tensor], ranks: Ranks) -> Predictions | None:
    """All rows on the first rank, None on the others."""
    if not columns:  # a part without rows, which it is on all ranks alike
        empty = np.empty(0, np.float32)
        return Predictions(logits_N=empty, labels_N=empty) if ranks.is_first else None
    gathered = {name: ranks.gather(values) for name, values in columns.items()}
    if not ranks.is_first:
        return None
    arrays = {name: torch.cat(parts).numpy() for name, parts in gathered.items()}
    # Rows come rank by rank; within a global batch ranks hold its rows in order.
    order_N = np.argsort(arrays.pop("batch"), kind="stable")
    arrays = {name: values[order_N] for name, values in arrays.items()}
    return Predictions(
        logits_N=arrays["logits"],
        labels_N=arrays["labels"],
        weights_N=arrays.get("weights"),
        groups={name.removeprefix("group:"): array for name, array in arrays.items() if name.startswith("group:")},
    )
