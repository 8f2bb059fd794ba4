"""Metrics are means over rows, whatever the batch size and the number of ranks; no row is dropped or counted twice."""

import math

import pytest

from recplat.runtime.ranks import Ranks
from tests.hard_inputs.given_scores import evaluate_given
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.rank_pool import RankPool

LOSSES = [1.0] * 8 + [4.0] * 2


def logloss(ranks: Ranks, batch_size: int) -> tuple[float | None, int]:
    scores = [math.exp(-loss) for loss in LOSSES]
    result = evaluate_given(ranks, scores, [1] * 10, batch_size=batch_size)
    return result.metrics["logloss"], result.num_rows


@pytest.mark.parametrize("world_size", [1, 2])
@pytest.mark.parametrize("batch_size", [1, 3, 4, 10])
def test_the_mean_over_ten_rows_is_1_6(
    rank_pool: RankPool,  # noqa: F811
    batch_size: int,
    world_size: int,
) -> None:
    for value, num_rows in rank_pool.run(logloss, world_size=world_size, batch_size=batch_size):
        assert value == pytest.approx(1.6, abs=1e-6)
        assert num_rows == 10
