"""logloss, ne, calibration, accuracy."""

import math

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss

from tests.catalog.metrics.rows_builder import made_up, measure, predictions

ALL = ("accuracy", "calibration", "logloss", "ne")


def probabilities(rows):
    return 1 / (1 + np.exp(-rows.logits_N))


@pytest.mark.parametrize("weighted", [False, True])
def test_they_equal_their_definitions_to_1e_12(weighted):
    rows = made_up(10_000, weighted=weighted)
    weights = rows.weights_N.astype(float) if weighted else np.ones(10_000)
    loss = log_loss(rows.labels_N, probabilities(rows), sample_weight=weights)
    share = np.average(rows.labels_N.astype(float), weights=weights)
    entropy = -(share * math.log(share) + (1 - share) * math.log(1 - share))
    assert abs(measure("logloss", rows) - loss) < 1e-12
    assert abs(measure("ne", rows) - loss / entropy) < 1e-12
    assert abs(measure("calibration", rows) - np.average(probabilities(rows), weights=weights) / share) < 1e-12
    right = accuracy_score(rows.labels_N, rows.logits_N >= 0, sample_weight=weights)
    assert abs(measure("accuracy", rows) - right) < 1e-12


def test_logloss_of_a_huge_logit_is_that_logit_or_nothing():
    assert measure("logloss", predictions([800.0], [0])) == 800.0
    assert measure("logloss", predictions([800.0], [1])) == 0.0
    assert measure("logloss", predictions([-40.0], [0])) == pytest.approx(math.exp(-40), rel=1e-12)


def test_calibration_of_huge_logits_does_not_overflow():
    assert measure("calibration", predictions([900.0, -900.0], [1, 1])) == 0.5


def test_ne_of_always_predicting_the_base_rate_is_1():
    assert measure("ne", predictions([math.log(1 / 3)] * 4, [1, 0, 0, 0])) == pytest.approx(1.0, abs=1e-12)


def test_accuracy_counts_from_its_threshold():
    rows = predictions([math.log(0.4 / 0.6)] * 2, [1, 0])
    assert measure("accuracy", rows, threshold=0.3) == 0.5
    rows = predictions([math.log(0.4 / 0.6)], [1])
    assert measure("accuracy", rows, threshold=0.3) == 1.0
    assert measure("accuracy", rows) == 0.0
    assert measure("accuracy", predictions([0.0], [1])) == 1.0


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "rows",
    [
        predictions([], []),
        predictions([1, 2], [0, 1], weights=[0, 0]),
        predictions([1, np.nan], [0, 1]),
    ],
)
def test_without_rows_or_with_logits_that_are_not_finite_they_are_undefined(name, rows):
    assert measure(name, rows) is None


def test_those_that_need_a_positive_row_or_both_classes_are_undefined_without():
    negative, positive = predictions([1, 2], [0, 0]), predictions([1, 2], [1, 1])
    assert measure("calibration", negative) is None
    assert measure("calibration", positive) is not None
    assert measure("ne", negative) is None
    assert measure("ne", positive) is None
    assert measure("logloss", negative) is not None
    assert measure("accuracy", negative) == 0.0
