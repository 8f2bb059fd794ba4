"""Bytes on each rank by cause. Weights and state are exact.

Activations are the looked-up rows and their gradients, fp32; hidden layers are not counted. Inputs follow from the mean
length of lists in the training rows.
"""

import math
from collections.abc import Collection, Iterator

from recplat.diagnostics import Diagnostic
from recplat.lang.shapes import Device, ModelInputs
from recplat.lang.units import format_bytes
from recplat.plan.placement import shard_bytes
from recplat.plan.types import FeaturePlan, RankMemory, TablePlan
from recplat.spec.types import Spec

#: Bytes of one input value: an id (int64), or a number and its share of lengths.
_INPUT_BYTES = 8


def dense_bytes(spec: Spec, inputs: ModelInputs) -> int:
    """Dense weights, gradients and optimiser state, the same on every rank."""
    count = spec.model.num_parameters(inputs)
    return 8 * count + spec.train.dense_optimizer.state_bytes(count)


def memory_by_rank(
    tables: tuple[TablePlan, ...],
    features: tuple[FeaturePlan, ...],
    dense: int,
    inputs: ModelInputs,
    batch_size: int,
    device: Device,
) -> tuple[RankMemory, ...]:
    rows = -(-batch_size // device.num_ranks)
    values = sum(feature.mean_length for feature in features)
    width = inputs.num_dense + sum(bag.storage_dim for bag in inputs.bags)
    return tuple(
        RankMemory(
            rank=rank,
            weights=sum(_part(table, table.weight_bytes, rank) for table in tables),
            optimizer_state=sum(_part(table, table.state_bytes, rank) for table in tables),
            dense_parameters=dense,
            activations=2 * 4 * rows * width + _whole_gradients(tables, rank),
            # The batch at work and the next one.
            inputs=math.ceil(2 * _INPUT_BYTES * rows * values),
        )
        for rank in range(device.num_ranks)
    )


def _whole_gradients(tables: tuple[TablePlan, ...], rank: int) -> int:
    """The dense kernel makes a gradient of the table's size in each step."""
    return sum(_part(table, table.weight_bytes, rank) for table in tables if table.kernel == "dense")


def unfitting(
    tables: tuple[TablePlan, ...],
    memory: tuple[RankMemory, ...],
    memory_per_rank: int | None,
    constrained: Collection[str],
) -> Iterator[Diagnostic]:
    """A problem for the fullest rank, if it holds more than there is.

    Args:
        constrained: tables that `spec.sharding.tables` says something of, where the problem then points.
    """
    if memory_per_rank is None or not memory:
        return
    fullest = max(memory, key=lambda rank: rank.total)
    if fullest.total <= memory_per_rank or not tables:
        return
    table = max(tables, key=lambda t: sum(shard_bytes(t, s) for s in t.shards if s.rank == fullest.rank))
    size = sum(shard_bytes(table, shard) for shard in table.shards if shard.rank == fullest.rank)
    free = memory_per_rank - (fullest.total - size)
    per_rank = format_bytes((table.weight_bytes + table.state_bytes) / len(memory))
    if len(memory) > 1 and table.sharding == "table_wise":
        remedy = f"`row_wise` puts {per_rank} on each of {len(memory)} ranks"
    else:
        remedy = "use more ranks, a smaller `dim`, fewer rows (`hash`, `min_count`) or `dtype: fp16`"
    if free > 0:
        message = (
            f"table `{table.name}` needs {format_bytes(size)} on rank {fullest.rank}; {format_bytes(free)} is free"
        )
    else:
        message = (
            f"rank {fullest.rank} needs {format_bytes(fullest.total)} and has {format_bytes(memory_per_rank)}; its "
            f"largest table, `{table.name}`, takes {format_bytes(size)}"
        )
    yield Diagnostic(
        "shard-does-not-fit",
        message,
        help=remedy,
        path=f"spec.sharding.tables.{table.name}.type" if table.name in constrained else f"spec.tables.{table.name}",
        notes=(f"{table.num_rows or 0:,} rows x {table.storage_dim} columns, and the optimiser's state",),
    )


def _part(table: TablePlan, total: int, rank: int) -> int:
    cells = (table.num_rows or 0) * table.storage_dim
    held = sum(shard.num_rows * shard.num_columns for shard in table.shards if shard.rank == rank)
    return total * held // cells if cells else 0
