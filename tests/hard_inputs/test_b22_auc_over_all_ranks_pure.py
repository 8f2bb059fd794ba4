import pytest

from tests.catalog.metrics.rows_builder import measure, predictions

RANKS = [([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), ([1, 0, 0, 0], [0.2, 0.3, 0.05, 0.15])]


def test_auc_of_the_gathered_rows_is_neither_a_ranks_own_nor_their_mean():
    labels = [label for rank, _ in RANKS for label in rank]
    scores = [score for _, rank in RANKS for score in rank]
    assert measure("auc", predictions(scores, labels)) == 0.8
    alone = [measure("auc", predictions(scores, labels)) for labels, scores in RANKS]
    assert alone[0] == 0.75
    assert sum(alone) / 2 == pytest.approx(0.7083, abs=5e-5)
