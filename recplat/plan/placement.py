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
        name = catalog.name_of(sharding)
        table, found = _with_fitting_kernel(table, name, sharding)
        problems += found
        shards = sharding.shards(
            num_rows=table.num_rows or 0, num_columns=table.storage_dim, num_ranks=device.num_ranks, rank=rank
        )
        if table.num_rows is not None and any(shard.num_rows == 0 for shard in shards):
            problems.append(_too_few_rows(table, name, shards))
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


def _with_fitting_kernel(table: TablePlan, name: str, sharding: ShardingType) -> tuple[TablePlan, list[Diagnostic]]:
    """The table with a kernel that the sharding type works with."""
    if table.kernel in sharding.kernels():
        return table, []
    kernel = sharding.kernels()[0]
    fitting = msgspec.structs.replace(table, kernel=kernel, kernel_reason=f"`{name}` works with the {kernel} kernel")
    if table.dtype == "fp32":
        return fitting, []
    problem = Diagnostic(
        "dense-kernel-needs-fp32",
        f"table `{table.name}` can't be `{name}` in {table.dtype}: the optimiser of the {kernel} kernel would keep its "
        f"state in {table.dtype} too, where small gradients vanish",
        help=f"write `dtype: fp32` for the table, or another sharding type than `{name}`",
        path=f"spec.sharding.tables.{table.name}.type",
    )
    return fitting, [problem]


def _too_few_rows(table: TablePlan, name: str, shards: tuple[Shard, ...]) -> Diagnostic:
    empty = sum(shard.num_rows == 0 for shard in shards)
    return Diagnostic(
        "shard-without-rows",
        f"table `{table.name}` has {table.num_rows} rows; `{name}` over {len(shards)} ranks leaves {empty} without any",
        help="write `type: table_wise` for this table: small tables gain nothing from being divided",
        path=f"spec.sharding.tables.{table.name}.type",
    )
