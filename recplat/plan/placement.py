"""Where tables lie: the largest first, each on the rank with the fewest bytes so far."""

import msgspec

from recplat.catalog import Catalog
from recplat.diagnostics import Diagnostic
from recplat.lang.kinds import Shard, ShardingType
from recplat.lang.shapes import Device
from recplat.plan.types import TablePlan
from recplat.spec.types import Spec


def place(
    tables: tuple[TablePlan, ...], spec: Spec, catalog: Catalog, device: Device, memory_per_rank: int | None
) -> tuple[tuple[TablePlan, ...], list[Diagnostic]]:
    """The tables with sharding type and shards; constraints of `spec.sharding.tables` are kept.

    A table that is larger than the memory of a rank, as far as that is known, is divided by rows.
    """
    placed: dict[str, TablePlan] = {}
    problems: list[Diagnostic] = []
    load = [0] * device.num_ranks
    for table in sorted(tables, key=lambda t: (-t.weight_bytes - t.state_bytes, t.name)):
        sharding = _sharding_type(table, spec, catalog, device, memory_per_rank)
        constraint = spec.sharding.tables.get(table.name)
        lightest = min(range(device.num_ranks), key=lambda rank: (load[rank], rank))
        rank = constraint.rank if constraint is not None and constraint.rank is not None else lightest
        shards = sharding.shards(
            num_rows=table.num_rows or 0, num_columns=table.storage_dim, num_ranks=device.num_ranks, rank=rank
        )
        name = catalog.name_of(sharding)
        if table.kernel not in sharding.kernels():
            problems.append(_kernel_conflict(table, name, sharding))
        placed[table.name] = msgspec.structs.replace(table, sharding=name, shards=shards)
        for shard in shards:
            load[shard.rank] += shard_bytes(table, shard)
    return tuple(placed[table.name] for table in tables), problems


def shard_bytes(table: TablePlan, shard: Shard) -> int:
    """Weights and optimiser state of a shard: its part of the table's."""
    cells = (table.num_rows or 0) * table.storage_dim
    total = table.weight_bytes + table.state_bytes
    return total * (shard.num_rows * shard.num_columns) // cells if cells else 0


def _sharding_type(
    table: TablePlan, spec: Spec, catalog: Catalog, device: Device, memory_per_rank: int | None
) -> ShardingType:
    constraint = spec.sharding.tables.get(table.name)
    if constraint is not None and constraint.type is not None:
        return constraint.type
    too_large = memory_per_rank is not None and table.weight_bytes + table.state_bytes > memory_per_rank
    name = "row_wise" if too_large and device.num_ranks > 1 else "table_wise"
    options: ShardingType = catalog.options("sharding", name)()
    return options


def _kernel_conflict(table: TablePlan, name: str, sharding: ShardingType) -> Diagnostic:
    return Diagnostic(
        "sharding-needs-kernel",
        f"table `{table.name}` can't be `{name}`: its optimiser `{table.optimizer}` uses the {table.kernel} kernel",
        help=f"`{name}` works with the kernel {' or '.join(sharding.kernels())}: choose another type, for instance "
        "`table_wise`, or another optimiser for this table",
        path=f"spec.sharding.tables.{table.name}.type",
    )
