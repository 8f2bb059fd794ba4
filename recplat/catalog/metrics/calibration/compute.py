"""N: rows."""

import numpy as np

from recplat.catalog.metrics.calibration.options import Options
from recplat.lang.predictions import Predictions


def compute(options: Options, predictions: Predictions) -> float | None:
    """Mean predicted probability by mean label; None where no row is positive or a logit isn't finite."""
    if not np.isfinite(predictions.logits_N).all():
        return None
    weights_N = np.ones(()) if predictions.weights_N is None else predictions.weights_N.astype(np.float64)
    positives = float((weights_N * (predictions.labels_N > 0.5)).sum())
    if positives <= 0:
        return None
    probabilities_N = 0.5 * (1.0 + np.tanh(0.5 * predictions.logits_N.astype(np.float64)))
    return float((weights_N * probabilities_N).sum()) / positives
