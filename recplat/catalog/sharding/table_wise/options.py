"""`sharding.tables.NAME.type: table_wise`."""

from recplat.lang import kinds
from recplat.lang.kinds import Shard


class Options(kinds.Options, kinds.ShardingType, frozen=True, kw_only=True, tag="table_wise"):
    """The whole table on one rank."""

    def shards(self, *, num_rows: int, num_columns: int, num_ranks: int, rank: int) -> tuple[Shard, ...]:
        return (Shard(rank=rank, row_offset=0, num_rows=num_rows, column_offset=0, num_columns=num_columns),)
