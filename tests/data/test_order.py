import numpy as np
import pytest

from recplat.data.order import rank_slice, windows


def order(num_rows, **options):
    """The whole global order, by the definition."""
    options = {"block_rows": 10, "window_rows": 30, "seed": 1, "epoch": 0, "shuffle": True} | options
    rows = []
    for window in windows(num_rows, **options):
        assert window.start == len(rows)
        joined = np.concatenate(
            [np.arange(b * 10, min((b + 1) * 10, num_rows)) for b in window.blocks.tolist()] or [[]]
        )
        rows += (joined if window.rows() is None else joined[window.rows()]).tolist()
        assert window.end == len(rows)
    return rows


@pytest.mark.parametrize("num_rows", [0, 1, 10, 95, 101])
@pytest.mark.parametrize("window_rows", [1, 10, 35, 1000])
def test_every_row_comes_once(num_rows, window_rows):
    assert sorted(order(num_rows, window_rows=window_rows)) == list(range(num_rows))


def test_epochs_and_seeds_differ_and_repeat():
    assert order(95) == order(95)
    assert len({tuple(order(95, epoch=epoch, seed=seed)) for epoch in range(3) for seed in range(3)}) == 9


def test_without_shuffling_rows_keep_their_order():
    assert order(95, shuffle=False) == list(range(95))


def test_a_window_as_large_as_the_data_mixes_everything():
    first = np.array([order(1000, window_rows=10_000, epoch=epoch)[0] for epoch in range(300)])
    assert abs(first.mean() - 500) < 60  # standard error 17
    assert len(set(first // 10)) > 80


def test_a_small_window_mixes_no_more_than_its_blocks():
    rows = np.array(order(100, window_rows=20)).reshape(5, 20)
    assert all(len(set(window // 10)) == 2 for window in rows)


@pytest.mark.parametrize("num_rows", [0, 1, 7, 8])
@pytest.mark.parametrize("num_ranks", [1, 3, 8])
def test_slices_of_ranks_cover_a_batch_and_are_as_equal_as_can_be(num_rows, num_ranks):
    slices = [rank_slice(5, 5 + num_rows, rank, num_ranks) for rank in range(num_ranks)]
    assert [row for start, end in slices for row in range(start, end)] == list(range(5, 5 + num_rows))
    sizes = [end - start for start, end in slices]
    assert max(sizes) - min(sizes) <= 1
