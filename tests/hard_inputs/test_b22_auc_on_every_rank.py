"""AUC is that of all rows of all ranks, and every rank knows it."""

from recplat.runtime.ranks import Ranks
from tests.hard_inputs.given_scores import evaluate_given
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.rank_pool import RankPool

LABELS = [1, 0, 1, 0, 1, 0, 0, 0]  # four rows of each rank
SCORES = [0.9, 0.8, 0.7, 0.1, 0.2, 0.3, 0.05, 0.15]


def test_every_rank_has_the_auc_of_all_rows(rank_pool: RankPool) -> None:  # noqa: F811
    results = rank_pool.run(auc, world_size=2)
    # A rank alone has 0.75, the mean over ranks is 0.7083.
    assert results == [0.8, 0.8]


def auc(ranks: Ranks) -> float | None:
    return evaluate_given(ranks, SCORES, LABELS, batch_size=8).metrics["auc"]
