import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from recplat.data.curves import MAX_POINTS, curves
from tests.catalog.metrics.rows_builder import made_up, predictions


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("num_rows", [50, 20_000])
def test_the_area_under_the_roc_points_is_the_auc(num_rows, weighted):
    rows = made_up(num_rows, weighted=weighted)
    roc = np.array(curves(rows)["roc"])
    assert len(roc) <= MAX_POINTS
    assert roc[0].tolist() == [0, 0]
    assert roc[-1].tolist() == [1, 1]
    assert (np.diff(roc, axis=0) >= 0).all()
    area = np.trapezoid(roc[:, 1], roc[:, 0])
    # 200 points cut corners of at most 1 / 100 each way.
    assert abs(area - roc_auc_score(rows.labels_N, rows.logits_N, sample_weight=rows.weights_N)) < 1e-3


def test_a_tie_is_one_step_of_the_roc():
    assert curves(predictions([1, 1, 0], [1, 0, 0]))["roc"] == [(0.0, 0.0), (0.5, 1.0), (1.0, 1.0)]


@pytest.mark.parametrize("weighted", [False, True])
def test_calibration_rises_and_lies_on_the_diagonal_for_true_probabilities(weighted):
    points = np.array(curves(made_up(200_000, weighted=weighted))["calibration"])
    assert len(points) == 20
    assert (np.diff(points[:, 0]) > 0).all()
    assert np.abs(points[:, 0] - points[:, 1]).max() < 0.02


def test_one_class_has_a_calibration_curve_only():
    assert set(curves(predictions([1, 2], [1, 1]))) == {"calibration"}


@pytest.mark.parametrize(
    "rows",
    [predictions([], []), predictions([1, np.nan], [0, 1]), predictions([1, 2], [0, 1], weights=[0, 0])],
)
def test_what_is_undefined_is_left_out(rows):
    assert curves(rows) == {}
