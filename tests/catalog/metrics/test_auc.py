import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tests.catalog.metrics.rows_builder import made_up, measure, predictions


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("num_scores", [None, 5, 40])
@pytest.mark.parametrize("num_rows", [10, 1000, 100_000])
def test_it_equals_scikit_learns_to_1e_12(num_rows, num_scores, weighted):
    rows = made_up(num_rows, num_scores=num_scores, weighted=weighted)
    expected = roc_auc_score(rows.labels_N, rows.logits_N, sample_weight=rows.weights_N)
    assert abs(measure("auc", rows) - expected) < 1e-12


def test_it_equals_the_count_of_ordered_pairs():
    rows = made_up(60, num_scores=6)
    positive, negative = rows.logits_N[rows.labels_N == 1], rows.logits_N[rows.labels_N == 0]
    ordered = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    assert measure("auc", rows) == ordered / (len(positive) * len(negative))


def test_all_scores_equal_is_one_half():
    assert measure("auc", predictions([0.3] * 5, [1, 0, 0, 1, 0])) == 0.5


def test_the_order_of_rows_does_not_matter_to_the_last_bit():
    rows = made_up(5000, num_scores=50)
    order = np.random.default_rng(1).permutation(5000)
    assert measure("auc", predictions(rows.logits_N[order], rows.labels_N[order])) == measure("auc", rows)


def test_scores_of_float32_that_differ_in_the_last_bit_are_no_tie():
    high = np.nextafter(np.float32(1), np.float32(2))
    assert measure("auc", predictions([high, 1.0], [1, 0], dtype=np.float32)) == 1.0


def test_rows_of_weight_zero_count_nothing():
    rows = predictions([3, 2, 1, 0], [0, 1, 0, 1], weights=[0, 1, 1, 0])
    assert measure("auc", rows) == 1.0


@pytest.mark.parametrize(
    "rows",
    [
        predictions([], []),
        predictions([1, 2], [1, 1]),
        predictions([1, 2], [0, 0]),
        predictions([1, 2], [0, 1], weights=[1, 0]),
        predictions([1, np.nan], [0, 1]),
    ],
)
def test_it_is_undefined_for_one_class_and_for_scores_that_are_not_finite(rows):
    assert measure("auc", rows) is None


def test_ten_million_rows_do_not_overflow():
    # 5e6 * 5e6 pairs, twice: above 2^32, and their products in float32 would be off.
    half = 5_000_000
    logits = np.concatenate([np.arange(half), np.arange(half)]).astype(np.float32)
    labels = np.repeat([0, 1], half)
    # Each positive meets `i` lower negatives and one of its own score.
    expected = (half * (half - 1) / 2 + half / 2) / half**2
    assert abs(measure("auc", predictions(logits, labels, dtype=np.float32)) - expected) < 1e-12
