"""N: rows."""

import math

import numpy as np

from recplat.catalog.metrics.accuracy.options import Options
from recplat.lang.predictions import Predictions


def compute(options: Options, predictions: Predictions) -> float | None:
    """Share of rows in the right class; None without rows or where a logit isn't finite."""
    weights_N = predictions.weights_N
    if not predictions.labels_N.size or (weights_N is not None and weights_N.sum() <= 0):
        return None
    if not np.isfinite(predictions.logits_N).all():
        return None
    from_logit = math.log(options.threshold / (1.0 - options.threshold))
    right_N = (predictions.logits_N >= from_logit) == (predictions.labels_N > 0.5)
    return float(np.average(right_N, weights=weights_N))
