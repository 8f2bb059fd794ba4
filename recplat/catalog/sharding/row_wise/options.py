"""`sharding.tables.NAME.type: row_wise`."""

from recplat.lang import kinds
from recplat.lang.kinds import Shard


class Options(kinds.Options, kinds.ShardingType, frozen=True, kw_only=True, tag="row_wise"):
    """Equal blocks of rows on all ranks; with few rows the last ranks hold less, or none."""

    def shards(self, *, num_rows: int, num_columns: int, num_ranks: int, rank: int) -> tuple[Shard, ...]:
        block = -(-num_rows // num_ranks)  # rounded up: TorchRec finds an id's rank by dividing by it
        return tuple(
            Shard(
                rank=place,
                row_offset=min(place * block, num_rows),
                num_rows=min(block, max(num_rows - place * block, 0)),
                column_offset=0,
                num_columns=num_columns,
            )
            for place in range(num_ranks)
        )
