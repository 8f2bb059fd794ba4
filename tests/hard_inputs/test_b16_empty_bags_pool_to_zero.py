"""The mean of an empty bag is 0, its loss finite, and its table stays as it is."""

from typing import Any

import numpy as np
import pytest
import torch

from recplat.catalog import builtin_catalog
from recplat.runtime.ranks import Ranks
from recplat.runtime.trainer import build_trainer
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.jobs import ArraySource, Rows, make_plan, random_rows
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import all_weights, take_steps


def train_on_tags(
    ranks: Ranks, tags: list[list[int]], optimizer: str, sharding: str, weights: list[float] | None = None
) -> dict[str, Any]:
    """One step on rows with these tags; what the tags were pooled to, and the table before and after."""
    is_copied = sharding == "data_parallel"
    plan = make_plan(
        f"spec.train.embedding_optimizer={optimizer}",
        *([] if is_copied else [f"spec.sharding.tables.tags.type={sharding}"]),
        f"spec.train.batch_size={len(tags)}",
        world_size=ranks.world_size,
        data_parallel=("tags",) if is_copied else (),
    )
    rows: Rows = random_rows(plan, len(tags), 0)
    rows.bags["tags"] = tags
    rows.weights = None if weights is None else np.array(weights, dtype=np.float32)
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    source = ArraySource(plan, ranks.rank, {"train": rows})
    batch = trainer.batches.make(next(source.train(0, 0)))
    pooled = trainer.model.module.head.pool(batch, trainer.model.module.embeddings(batch.ids)).detach()
    shape = next(bag for bag in plan.model.inputs.bags if bag.name == "tags")
    before = all_weights(trainer)
    losses = take_steps(trainer, ArraySource(plan, ranks.rank, {"train": rows}), 1)
    counts = [int(count) for count in next(ArraySource(plan, ranks.rank, {"train": rows}).train(0, 0)).bags["tags"][1]]
    return {
        "pooled": pooled[:, shape.offset : shape.offset + shape.dim].numpy(),
        "counts": counts,
        "before": before["tables/tags"],
        "after": all_weights(trainer)["tables/tags"],
        "losses": losses,
    }


@pytest.mark.parametrize("world_size", [1, 2])
@pytest.mark.parametrize(
    ("optimizer", "sharding"),
    [
        ("row_wise_adagrad", "table_wise"),
        ("row_wise_adagrad", "row_wise"),
        ("sgd", "data_parallel"),
        ("adam", "row_wise"),
    ],
)
@pytest.mark.parametrize(
    "tags",
    [
        [[3, 4], [], [5], []],  # some bags empty
        [[], [], [], []],  # a whole batch
        [[7]],  # at two ranks one has no rows
    ],
)
def test_empty_bags_are_zero_and_change_nothing(
    rank_pool: RankPool,  # noqa: F811
    tags: list[list[int]],
    optimizer: str,
    sharding: str,
    world_size: int,
) -> None:
    runs = rank_pool.run(train_on_tags, world_size=world_size, tags=tags, optimizer=optimizer, sharding=sharding)
    used = {tag for row in tags for tag in row}
    for run in runs:
        assert np.isfinite(run["losses"]).all()
        for count, vector in zip(run["counts"], run["pooled"], strict=True):
            assert vector.any() == (count > 0)
        changed = set(np.flatnonzero((run["before"] != run["after"]).any(axis=1)).tolist())
        assert changed == used


def test_the_mean_is_exact(rank_pool: RankPool) -> None:  # noqa: F811
    tags = [[3, 4, 8], [2]]
    [run] = rank_pool.run(train_on_tags, tags=tags, optimizer="sgd", sharding="row_wise")
    table = torch.from_numpy(run["before"][:, :8])
    by_count = {3: table[[3, 4, 8]].sum(0) / 3, 1: table[2]}
    for count, vector in zip(run["counts"], run["pooled"], strict=True):
        np.testing.assert_array_equal(vector, by_count[count].numpy())


@pytest.mark.parametrize("world_size", [1, 2])
def test_weights_that_sum_to_0_teach_nothing(rank_pool: RankPool, world_size: int) -> None:  # noqa: F811
    arguments = {"tags": [[1], [2]], "optimizer": "sgd", "sharding": "row_wise", "weights": [0.0, 0.0]}
    for run in rank_pool.run(train_on_tags, world_size=world_size, **arguments):
        assert run["losses"] == [0.0]
        np.testing.assert_array_equal(run["before"], run["after"])
