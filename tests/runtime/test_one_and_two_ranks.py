"""The same job at one rank and at two: the same weights, every row once, the same metrics."""

from typing import Any

import numpy as np
import pytest
import torch

from recplat.catalog import builtin_catalog
from recplat.runtime.ranks import Ranks
from recplat.runtime.trainer import build_trainer
from tests.runtime.jobs import ArraySource, make_plan, random_rows
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import all_weights, take_steps

SHARDING = ("spec.sharding.tables.user.type=row_wise", "spec.sharding.tables.item.type=table_wise")


def train_twenty_steps(ranks: Ranks, sets: tuple[str, ...], weighted: bool) -> dict[str, Any]:

    plan = make_plan(*SHARDING, *sets, world_size=ranks.world_size, data_parallel=("tags",))
    # 101 rows and batches of 16: the last batch has 5, of which the second rank has 2
    parts = {"train": random_rows(plan, 101, 0, weighted=weighted)}
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    initial = all_weights(trainer)
    losses = take_steps(trainer, ArraySource(plan, ranks.rank, parts), 20)
    return {"initial": initial, "weights": all_weights(trainer), "losses": ranks.sum(losses)}


@pytest.mark.parametrize(
    ("sets", "weighted"),
    [
        ((), False),
        (("spec.train.embedding_optimizer=adagrad", "spec.train.dense_optimizer=sgd"), True),
        (("spec.train.embedding_optimizer=sgd", "spec.train.dense_optimizer=adagrad"), False),
        (("spec.train.embedding_optimizer=adam", "spec.train.clip_grad_norm=0.1"), False),
    ],
)
def test_weights_after_twenty_steps_agree(rank_pool: RankPool, sets: tuple[str, ...], weighted: bool) -> None:
    [one] = rank_pool.run(train_twenty_steps, sets=sets, weighted=weighted)
    two, other = rank_pool.run(train_twenty_steps, world_size=2, sets=sets, weighted=weighted)
    assert one["initial"].keys() == two["initial"].keys()
    for name, weight in one["initial"].items():
        np.testing.assert_array_equal(weight, two["initial"][name], err_msg=name)
    np.testing.assert_allclose(one["losses"], two["losses"], rtol=1e-5)
    for name, weight in one["weights"].items():
        assert np.abs(weight - one["initial"][name]).max() > 1e-4, f"{name} did not move"
        np.testing.assert_allclose(two["weights"][name], weight, atol=1e-5, err_msg=name)
        np.testing.assert_array_equal(two["weights"][name], other["weights"][name], err_msg=name)


def train_half_tables(ranks: Ranks, optimizer: str) -> dict[str, Any]:
    """With fp16 tables; the weights, and how far they moved."""
    halves = "spec.tables=[{name: user, dtype: fp16}, {name: item, dtype: fp16}, {name: tags, dtype: fp16}]"
    plan = make_plan(*SHARDING, halves, f"spec.train.embedding_optimizer={optimizer}", world_size=ranks.world_size)
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    assert {table.weight_RC.dtype for table in trainer.tables} == {torch.float16}
    initial = all_weights(trainer)
    take_steps(trainer, ArraySource(plan, ranks.rank, {"train": random_rows(plan, 101, 0)}), 20)
    return {"initial": initial, "weights": all_weights(trainer)}


@pytest.mark.parametrize("optimizer", ["row_wise_adagrad", "adagrad", "sgd", "adam"])
def test_half_precision_tables_train_alike(rank_pool: RankPool, optimizer: str) -> None:
    [one] = rank_pool.run(train_half_tables, optimizer=optimizer)
    two, _ = rank_pool.run(train_half_tables, world_size=2, optimizer=optimizer)
    for name, weight in one["weights"].items():
        assert np.isfinite(weight).all(), name
        assert (weight != one["initial"][name]).any(), f"{name} did not move"
        np.testing.assert_allclose(two["weights"][name], weight, atol=5e-3, err_msg=name)
