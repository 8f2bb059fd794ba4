"""N: rows. G: distinct scores, in ascending order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from recplat.catalog.metrics.auc.options import Options
from recplat.lang.predictions import Predictions

Weights = NDArray[np.int64] | NDArray[np.float64]


def compute(options: Options, predictions: Predictions) -> float | None:
    """The AUC in time O(N log N); None for one class or scores that aren't finite."""
    if not np.isfinite(predictions.logits_N).all():
        return None
    order_N = np.argsort(predictions.logits_N)
    scores_N = predictions.logits_N[order_N]
    weights_N = _weights(predictions)[order_N]
    positive_N = weights_N * (predictions.labels_N[order_N] > 0.5)
    last_G = np.flatnonzero(np.append(scores_N[1:] != scores_N[:-1], scores_N.size > 0))
    return _area(np.cumsum(positive_N)[last_G], np.cumsum(weights_N - positive_N)[last_G])


def _weights(predictions: Predictions) -> Weights:
    if predictions.weights_N is None:
        return np.ones(predictions.logits_N.size, np.int64)  # whole numbers keep all sums exact, up to 3e9 rows
    return predictions.weights_N.astype(np.float64)


def _area(positives_up_to_G: NDArray[np.number[Any]], negatives_up_to_G: NDArray[np.number[Any]]) -> float | None:
    """From the positive and the negative rows, or their weights, with at most the g-th score."""
    if not positives_up_to_G.size or positives_up_to_G[-1] <= 0 or negatives_up_to_G[-1] <= 0:
        return None
    positives_G = np.diff(positives_up_to_G, prepend=0)
    negatives_G = np.diff(negatives_up_to_G, prepend=0)
    # Twice the number of pairs in order: all negatives below, and half of those with the same score.
    twice_ordered = np.sum(positives_G * (2 * negatives_up_to_G - negatives_G))
    return float(twice_ordered / (2 * float(positives_up_to_G[-1]) * float(negatives_up_to_G[-1])))
