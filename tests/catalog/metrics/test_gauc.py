import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tests.catalog.metrics.rows_builder import made_up, measure, predictions


def one_by_one(rows):
    areas, totals = [], []
    weights_N = np.ones(rows.labels_N.size) if rows.weights_N is None else rows.weights_N
    for group in np.unique(rows.groups["user"]):
        inside = (rows.groups["user"] == group) & (weights_N > 0)
        if len(set(rows.labels_N[inside])) == 2:
            areas.append(roc_auc_score(rows.labels_N[inside], rows.logits_N[inside], sample_weight=weights_N[inside]))
            totals.append(weights_N[inside].sum())
    return np.average(areas, weights=totals)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("num_scores", [None, 5])
@pytest.mark.parametrize("num_groups", [1, 7, 400])
def test_it_equals_the_weighted_mean_of_each_groups_auc(num_groups, num_scores, weighted):
    rows = made_up(2000, num_groups=num_groups, num_scores=num_scores, weighted=weighted)
    assert abs(measure("gauc", rows, group_by="user") - one_by_one(rows)) < 1e-12


def test_groups_of_one_class_are_left_out():
    rows = predictions([2, 1, 9, 9], [1, 0, 0, 0], user=[5, 5, 6, 6])
    assert measure("gauc", rows, group_by="user") == 1.0


def test_scores_are_compared_within_a_group_only():
    rows = predictions([2, 1, 20, 10], [1, 0, 1, 0], user=[5, 5, 6, 6])
    assert measure("gauc", rows, group_by="user") == 1.0
    assert measure("auc", rows) == 0.75


@pytest.mark.parametrize(
    "rows",
    [
        predictions([], [], user=[]),
        predictions([1, 2], [1, 0], user=[1, 2]),
        predictions([1, 2], [1, 0], weights=[0, 1], user=[1, 1]),
        predictions([np.inf, 2], [1, 0], user=[1, 1]),
    ],
)
def test_it_is_undefined_where_no_group_holds_both_classes(rows):
    assert measure("gauc", rows, group_by="user") is None
