"""Where each sharding type puts rows, compared with TorchRec's own arithmetic."""

import pytest

from recplat.catalog.sharding.data_parallel.options import Options as DataParallel
from recplat.catalog.sharding.row_wise.options import Options as RowWise
from recplat.catalog.sharding.table_wise.options import Options as TableWise

ROWS = [1, 2, 3, 5, 7, 8, 10, 1000]


@pytest.mark.parametrize("num_ranks", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("num_rows", ROWS)
def test_row_wise_is_laid_out_like_torchrec(num_rows: int, num_ranks: int) -> None:
    torch = pytest.importorskip("torch")
    sharding_plan = pytest.importorskip("torchrec.distributed.sharding_plan")
    sizes, offsets = sharding_plan.calculate_shard_sizes_and_offsets(
        torch.empty(num_rows, 4, device="meta"), num_ranks, num_ranks, "row_wise"
    )
    shards = RowWise().shards(num_rows=num_rows, num_columns=4, num_ranks=num_ranks, rank=0)
    assert [[shard.num_rows, shard.num_columns] for shard in shards] == sizes
    assert [[shard.row_offset, shard.column_offset] for shard in shards] == offsets
    assert [shard.rank for shard in shards] == list(range(num_ranks))


@pytest.mark.parametrize("num_rows", ROWS)
def test_row_wise_holds_every_row_once(num_rows: int) -> None:
    shards = RowWise().shards(num_rows=num_rows, num_columns=4, num_ranks=4, rank=0)
    rows = [row for shard in shards for row in range(shard.row_offset, shard.row_offset + shard.num_rows)]
    assert rows == list(range(num_rows))


def test_table_wise_is_one_shard_on_the_rank_given() -> None:
    [shard] = TableWise().shards(num_rows=9, num_columns=4, num_ranks=4, rank=2)
    assert (shard.rank, shard.row_offset, shard.num_rows, shard.num_columns) == (2, 0, 9, 4)


def test_data_parallel_is_whole_on_every_rank_and_never_fused() -> None:
    shards = DataParallel().shards(num_rows=9, num_columns=4, num_ranks=3, rank=0)
    assert [(shard.rank, shard.row_offset, shard.num_rows) for shard in shards] == [(0, 0, 9), (1, 0, 9), (2, 0, 9)]
    assert DataParallel().kernels() == ("dense",)
