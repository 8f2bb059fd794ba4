"""Empty rows, a whole batch of them, and a rank without rows are batches like any other."""

import pytest

from recplat.data.batches import batches
from recplat.data.part_reader import PartReader

OPTIONS = {"seed": 0, "epoch": 0, "window_rows": 100}


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("rows", [[["a"], None, ["b", "a"]], [None, [], [None]]])
def test_an_empty_bag_is_a_length_of_0(project, rows, shuffle):
    project.parquet(tags=rows)
    project.features = [{"name": "tags", "type": "categorical", "multivalent": True}]
    reader = PartReader(project.prepare(), "train")
    [batch] = batches(reader, batch_size=3, rank=0, num_ranks=1, shuffle=shuffle, **OPTIONS)
    ids, lengths = batch.bags["tags"]
    assert sorted(lengths.tolist()) == sorted(len([tag for tag in row or [] if tag]) for row in rows)
    assert len(ids) == lengths.sum()


def test_a_rank_without_rows_gets_an_empty_batch(project):
    project.parquet(tags=[["a"]])
    project.features = [{"name": "tags", "type": "categorical", "multivalent": True}]
    reader = PartReader(project.prepare(), "train")
    sizes = []
    for rank in range(2):
        [batch] = batches(reader, batch_size=2, rank=rank, num_ranks=2, shuffle=True, **OPTIONS)
        sizes.append((len(batch.labels), batch.bags["tags"][1].tolist(), batch.num_global_rows))
    assert sorted(sizes) == [(0, [], 1), (1, [1], 1)]


def test_weights_that_sum_to_0_are_read_as_they_are(project):
    project.parquet(tags=[["a"], ["b"]], w=[0.0, 0.0])
    project.data["weight"] = "w"
    project.features = [{"name": "tags", "type": "categorical", "multivalent": True}]
    batch = project.rows()
    assert batch.weights.tolist() == [0, 0]
    assert batch.total_weight == 0
