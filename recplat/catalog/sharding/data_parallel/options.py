"""`sharding.tables.NAME.type: data_parallel`."""

from recplat.lang import kinds
from recplat.lang.kinds import Shard


class Options(kinds.Options, kinds.ShardingType, frozen=True, kw_only=True, tag="data_parallel"):
    """A copy on every rank; gradients of the whole table are added up over ranks each step. For small tables."""

    def shards(self, *, num_rows: int, num_columns: int, num_ranks: int, rank: int) -> tuple[Shard, ...]:
        return tuple(
            Shard(rank=place, row_offset=0, num_rows=num_rows, column_offset=0, num_columns=num_columns)
            for place in range(num_ranks)
        )

    def kernels(self) -> tuple[str, ...]:
        # Copies stay equal only if each sees the sum of all gradients; a backward pass that updates can't wait for it.
        return ("dense",)
