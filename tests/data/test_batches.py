"""Batches against the obvious way: all rows in memory, put into the global order, cut by batch and rank."""

import numpy as np
import pytest

from recplat.data import preparing
from recplat.data.batches import batches, num_batches
from recplat.data.order import windows
from recplat.data.part_reader import PartReader

BLOCK = 64
NUM_ROWS = 1000
OPTIONS = {"seed": 3, "epoch": 1, "shuffle": True, "window_rows": 200}


@pytest.fixture
def part(project, monkeypatch):
    monkeypatch.setattr("recplat.data.part_writer.BLOCK_ROWS", BLOCK)
    monkeypatch.setattr(preparing, "BLOCK_ROWS", BLOCK)
    project.features = [
        {"name": "n", "type": "numeric"},
        {"name": "u", "type": "categorical", "transform": {"type": "identity", "num_ids": NUM_ROWS}},
        {"name": "b", "type": "sequence", "max_length": 9, "transform": {"type": "identity", "num_ids": NUM_ROWS}},
    ]
    project.data["weight"] = "w"
    project.parquet(
        n=list(range(NUM_ROWS)),
        u=list(range(NUM_ROWS)),
        b=[[i] * (i % 4) for i in range(NUM_ROWS)],
        w=[0.1 + i % 7 for i in range(NUM_ROWS)],
        label=[i % 2 for i in range(NUM_ROWS)],
    )
    reader = PartReader(project.prepare(), "train")
    assert reader.block_rows == BLOCK
    return reader


def global_order(**options):
    rows = []
    for window in windows(NUM_ROWS, block_rows=BLOCK, **OPTIONS | options):
        joined = np.concatenate([np.arange(NUM_ROWS)[b * BLOCK : (b + 1) * BLOCK] for b in window.blocks])
        rows.append(joined if window.rows() is None else joined[window.rows()])
    return np.concatenate(rows)


def read(part, batch_size=90, rank=0, num_ranks=1, **options):
    return list(batches(part, batch_size=batch_size, rank=rank, num_ranks=num_ranks, **OPTIONS | options))


def check(batch, rows):
    assert batch.dense[:, 0].tolist() == rows.tolist()
    assert batch.ids[:, 0].tolist() == (rows + 2).tolist()
    ids, lengths = batch.bags["b"]
    assert lengths.tolist() == (rows % 4).tolist()
    assert ids.tolist() == np.repeat(rows + 2, rows % 4).tolist()
    assert batch.labels.tolist() == (rows % 2).tolist()
    np.testing.assert_allclose(batch.weights, 0.1 + rows % 7, rtol=1e-6)


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("num_ranks", [1, 2, 3])
@pytest.mark.parametrize("batch_size", [7, 90, 999, 1000, 5000])
def test_a_rank_reads_its_slice_of_every_global_batch(part, batch_size, num_ranks, shuffle):
    order = global_order(shuffle=shuffle)
    for rank in range(num_ranks):
        found = read(part, batch_size, rank, num_ranks, shuffle=shuffle)
        assert len(found) == num_batches(NUM_ROWS, batch_size)
        for index, batch in enumerate(found):
            rows = order[index * batch_size : (index + 1) * batch_size]
            start, end = len(rows) * rank // num_ranks, len(rows) * (rank + 1) // num_ranks
            check(batch, rows[start:end])
            assert (batch.index, batch.epoch, batch.num_global_rows) == (index, 1, len(rows))
            assert batch.total_weight == pytest.approx(sum(0.1 + rows % 7), rel=1e-6)


def test_every_rank_is_told_the_same_weight_to_the_last_bit(part):
    found = [[b.total_weight for b in read(part, rank=rank, num_ranks=5)] for rank in range(5)]
    assert all(weights == found[0] for weights in found)


@pytest.mark.parametrize("start", [1, 5, 11, 12])
def test_a_resumed_epoch_goes_on_where_it_was(part, start):
    whole, rest = read(part), read(part, start_batch=start)
    assert [batch.index for batch in rest] == [batch.index for batch in whole[start:]]
    for batch, same in zip(rest, whole[start:], strict=True):
        np.testing.assert_array_equal(batch.ids, same.ids)


def test_a_last_batch_may_be_empty_on_a_rank(part):
    last = [read(part, batch_size=999, rank=rank, num_ranks=4)[-1] for rank in range(4)]
    assert sorted(len(batch.labels) for batch in last) == [0, 0, 0, 1]
    empty = last[0]
    assert empty.dense.shape == (0, 1)
    assert empty.ids.shape == (0, 1)
    assert [array.shape for array in empty.bags["b"]] == [(0,), (0,)]
    assert empty.num_global_rows == 1


@pytest.mark.parametrize("shuffle", [True, False])
def test_a_batch_may_be_written_to(part, shuffle):
    before = read(part, shuffle=shuffle)[0]
    changed = read(part, shuffle=shuffle)[0]
    arrays = [changed.dense, changed.ids, changed.labels, changed.weights, *changed.bags["b"]]
    for array in arrays:
        array += 1
    np.testing.assert_array_equal(read(part, shuffle=shuffle)[0].ids, before.ids)
