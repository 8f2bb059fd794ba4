"""Tables of any width and of one row train; TorchRec's kernels alone would fail an assertion for widths 1, 2 and 6."""

from typing import Any

import msgspec
import numpy as np
import pytest

from recplat.catalog import builtin_catalog
from recplat.diagnostics import Problems
from recplat.runtime.failures import RunError
from recplat.runtime.ranks import Ranks
from recplat.runtime.trainer import build_trainer
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.jobs import SPEC, ArraySource, make_plan, random_rows
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import all_weights, take_steps

WIDTHS = SPEC.replace("name: user, type: categorical, dim: 8", "name: user, type: categorical, dim: 1")
WIDTHS = WIDTHS.replace("name: item, type: categorical, dim: 8", "name: item, type: categorical, dim: 6")
WIDTHS = WIDTHS.replace("name: tags, type: categorical, dim: 8", "name: tags, type: categorical, dim: 2")
WIDTHS = WIDTHS.replace("model: {type: deepfm, hidden_units: [16, 8]}", "model: {type: MODEL, hidden_units: [16, 8]}")


def train_odd_widths(ranks: Ranks, model: str, optimizer: str) -> dict[str, Any]:
    plan = make_plan(
        f"spec.train.embedding_optimizer={optimizer}",
        "spec.sharding.tables.item.type=row_wise",
        world_size=ranks.world_size,
        spec=WIDTHS.replace("MODEL", model),
    )
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    before = all_weights(trainer)
    take_steps(trainer, ArraySource(plan, ranks.rank, {"train": random_rows(plan, 64, 0)}), 4)
    return {"before": before, "after": all_weights(trainer), "dims": {table.name: table.dim for table in plan.tables}}


@pytest.mark.parametrize("world_size", [1, 2])
@pytest.mark.parametrize("optimizer", ["row_wise_adagrad", "adagrad", "adam", "sgd"])
@pytest.mark.parametrize(("model", "linear_columns"), [("dcn_v2", 0), ("wide_deep", 1)])
def test_widths_1_2_and_6_train_and_padding_stays_zero(
    rank_pool: RankPool,  # noqa: F811
    model: str,
    linear_columns: int,
    optimizer: str,
    world_size: int,
) -> None:
    run, *_ = rank_pool.run(train_odd_widths, world_size=world_size, model=model, optimizer=optimizer)
    assert run["dims"] == {"user": 1, "item": 6, "tags": 2}
    for name, dim in run["dims"].items():
        before, after = run["before"][f"tables/{name}"], run["after"][f"tables/{name}"]
        assert (before[:, :dim] != after[:, :dim]).any(axis=0).all(), f"a column of {name} did not move"
        assert not after[:, dim + linear_columns :].any(), f"padding of {name} moved"


def train_one_row(ranks: Ranks) -> np.ndarray:
    plan = make_plan("spec.sharding.tables.item.type=row_wise", world_size=ranks.world_size)
    tables = tuple(with_one_row(table) if table.name == "item" else table for table in plan.tables)
    plan = msgspec.structs.replace(plan, tables=tables)
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    take_steps(trainer, ArraySource(plan, ranks.rank, {"train": random_rows(plan, 64, 0)}), 4)
    return all_weights(trainer)["tables/item"]


def with_one_row(table: Any) -> Any:
    num_ranks = len(table.shards)
    shards = (
        builtin_catalog()
        .options("sharding", "row_wise")()
        .shards(num_rows=1, num_columns=table.storage_dim, num_ranks=num_ranks, rank=0)
    )
    return msgspec.structs.replace(table, num_rows=1, shards=shards)


def test_a_table_of_one_row_trains(rank_pool: RankPool) -> None:  # noqa: F811
    [weights] = rank_pool.run(train_one_row)
    assert weights.shape == (1, 12)
    assert weights.any()


def refuse_one_row(ranks: Ranks) -> str:
    with pytest.raises(RunError) as caught:
        train_one_row(ranks)
    return f"{caught.value}; {caught.value.help}"


def test_one_row_can_not_be_divided_over_two_ranks(rank_pool: RankPool) -> None:  # noqa: F811
    for message in rank_pool.run(refuse_one_row, world_size=2):
        assert "table `item` has too few rows, 1, for row_wise on 2 ranks: rank 1 would hold none" in message
        assert "table_wise" in message


@pytest.mark.parametrize("setting", ["spec.tables=[{name: user, dim: 0}]", "spec.tables=[{name: user, rows: 0}]"])
def test_no_columns_or_no_rows_are_refused_before_anything_starts(setting: str) -> None:
    with pytest.raises(Problems) as caught:
        make_plan(setting)
    assert any("user" in str(problem.path) for problem in caught.value.diagnostics)
