"""From the reader's arrays to TorchRec's KeyedJaggedTensor."""

from typing import Any

import numpy as np
import pytest

from recplat.data.batches import HostBatch
from tests.runtime.jobs import ArraySource, make_plan, random_rows

pytest.importorskip("torchrec")

from recplat.runtime.batch import Batches
from recplat.runtime.failures import RunError

KEYS = ["tags", "item", "user"]  # not the plan's order: the sharded tables may have another


def host_batch(num_ranks: int = 1, rank: int = 0, num_rows: int = 16, **changes: Any) -> HostBatch:
    plan = make_plan(world_size=num_ranks)
    source = ArraySource(plan, rank, {"train": random_rows(plan, num_rows, 0, weighted=True)})
    host = next(source.train(0, 0))
    fields = {name: getattr(host, name) for name in HostBatch.__dataclass_fields__}
    return HostBatch(**(fields | changes))


def made(host: HostBatch, num_ranks: int = 1) -> Any:
    return Batches(make_plan(world_size=num_ranks), KEYS, num_ranks).make(host)


def test_each_key_has_its_own_ids_in_order() -> None:
    host = host_batch()
    ids = made(host).ids
    assert ids.keys() == KEYS
    assert host.ids is not None
    assert ids["user"].values().tolist() == host.ids[:, 0].tolist()
    assert ids["item"].values().tolist() == host.ids[:, 1].tolist()
    assert ids["tags"].values().tolist() == host.bags["tags"][0].tolist()
    assert ids["tags"].lengths().tolist() == host.bags["tags"][1].tolist()
    assert ids["user"].lengths().tolist() == [1] * 16


def test_a_rank_with_fewer_rows_is_padded_with_empty_bags() -> None:
    host = host_batch(num_ranks=2, rank=0, num_rows=5)
    assert len(host.labels) == 2
    batch = made(host, num_ranks=2)
    assert batch.ids.stride() == 3
    assert batch.ids["user"].lengths().tolist() == [1, 1, 0]
    assert batch.ids["tags"].lengths().tolist() == [*host.bags["tags"][1].tolist(), 0]
    assert len(batch.labels_B) == len(batch.dense_BD) == 2


def test_a_rank_without_rows_takes_part_with_one_empty_row() -> None:
    batch = made(host_batch(num_ranks=2, rank=0, num_rows=1), num_ranks=2)
    assert len(batch.labels_B) == 0
    assert batch.ids.stride() == 1
    assert batch.ids.lengths().tolist() == [0, 0, 0]


def test_counts_are_at_least_one() -> None:
    host = host_batch()
    expected = np.maximum(host.bags["tags"][1], 1)
    assert made(host).counts_BM.tolist() == expected[:, None].tolist()
    assert (host.bags["tags"][1] == 0).any()


@pytest.mark.parametrize("id_", [-1, 60, 2**31 + 5, 2**63 - 1])
def test_an_id_outside_its_table_is_named(id_: int) -> None:
    host = host_batch()
    assert host.ids is not None
    ids = host.ids.astype(np.int64)
    ids[3, 0] = id_
    with pytest.raises(RunError, match=f"`user`: id {id_} in batch 0 of epoch 0 is outside .* rows 0 to 59"):
        made(host_batch(ids=ids))


def test_the_last_row_of_a_table_is_inside() -> None:
    host = host_batch()
    assert host.ids is not None
    host.ids[3, 0] = 59
    assert 59 in made(host).ids["user"].values().tolist()


def test_an_id_of_a_list_outside_its_table_is_named() -> None:
    host = host_batch()
    tags, counts = host.bags["tags"]
    tags = tags.copy()
    tags[0] = 11
    with pytest.raises(RunError, match="`tags`: id 11"):
        made(host_batch(bags={"tags": (tags, counts)}))
