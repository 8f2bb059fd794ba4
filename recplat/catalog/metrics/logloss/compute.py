"""N: rows."""

import math

import numpy as np

from recplat.catalog.metrics.logloss.options import Options
from recplat.lang.predictions import Predictions


def compute(options: Options, predictions: Predictions) -> float | None:
    """Mean loss in nats; None without rows or where a logit isn't finite."""
    if not predictions.labels_N.size:
        return None
    logits_N = predictions.logits_N.astype(np.float64)
    # -log of the probability of the right class: no overflow, no cancellation, however large the logit.
    losses_N = np.logaddexp(0.0, np.where(predictions.labels_N > 0.5, -logits_N, logits_N))
    total = losses_N.size if predictions.weights_N is None else predictions.weights_N.sum(dtype=np.float64)
    if total <= 0:
        return None
    mean = float(np.average(losses_N, weights=predictions.weights_N))
    return mean if math.isfinite(mean) else None
