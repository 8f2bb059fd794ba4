"""Curves of a part for plots: the ROC curve and calibration, each at most 200 points.

N: rows. T: distinct scores.
"""

import numpy as np
from numpy.typing import NDArray

from recplat.lang.predictions import Predictions

MAX_POINTS = 200
CALIBRATION_BINS = 20

Curve = list[tuple[float, float]]


def curves(predictions: Predictions) -> dict[str, Curve]:
    """`roc` (false positive rate, true positive rate) and `calibration` (mean predicted, share of positive rows).

    A curve that is undefined is left out: ROC of a single class, either without rows or with logits that aren't finite.
    """
    if not predictions.labels_N.size or not np.isfinite(predictions.logits_N).all():
        return {}
    order_N = np.argsort(predictions.logits_N)[::-1]
    scores_N = predictions.logits_N[order_N].astype(np.float64)
    weights_N = _weights(predictions)[order_N]
    positive_N = weights_N * (predictions.labels_N[order_N] > 0.5)
    named = {"roc": _roc(scores_N, weights_N, positive_N), "calibration": _calibration(scores_N, weights_N, positive_N)}
    return {name: curve for name, curve in named.items() if curve}


def _weights(predictions: Predictions) -> NDArray[np.float64]:
    if predictions.weights_N is None:
        return np.ones(predictions.labels_N.size)
    return predictions.weights_N.astype(np.float64)


def _roc(scores_N: NDArray[np.float64], weights_N: NDArray[np.float64], positive_N: NDArray[np.float64]) -> Curve:
    """Points by falling score, from (0, 0) to (1, 1), evenly far apart along the curve."""
    last_T = np.flatnonzero(np.append(scores_N[1:] != scores_N[:-1], True))
    true_T = np.cumsum(positive_N)[last_T]
    false_T = np.cumsum(weights_N - positive_N)[last_T]
    if true_T[-1] <= 0 or false_T[-1] <= 0:
        return []
    x = np.append(0.0, false_T / false_T[-1])
    y = np.append(0.0, true_T / true_T[-1])
    wanted = np.linspace(0.0, 2.0, MAX_POINTS)
    chosen = np.unique(np.searchsorted(x + y, wanted).clip(max=x.size - 1))
    return list(zip(x[chosen].tolist(), y[chosen].tolist(), strict=True))


def _calibration(
    scores_N: NDArray[np.float64], weights_N: NDArray[np.float64], positive_N: NDArray[np.float64]
) -> Curve:
    """By rising prediction, one point for each bin; bins hold equal weight."""
    total = weights_N.sum()
    if total <= 0:
        return []
    probabilities_N = 0.5 * (1.0 + np.tanh(0.5 * scores_N))
    middle_N = np.cumsum(weights_N) - 0.5 * weights_N
    bin_N = np.minimum((middle_N / total * CALIBRATION_BINS).astype(np.int64), CALIBRATION_BINS - 1)
    weight = np.bincount(bin_N, weights_N, CALIBRATION_BINS)
    filled = weight > 0
    predicted = np.bincount(bin_N, weights_N * probabilities_N, CALIBRATION_BINS)[filled] / weight[filled]
    observed = np.bincount(bin_N, positive_N, CALIBRATION_BINS)[filled] / weight[filled]
    return list(zip(predicted[::-1].tolist(), observed[::-1].tolist(), strict=True))
