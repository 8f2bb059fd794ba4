"""N: rows."""

import numpy as np

from recplat.catalog.metrics.logloss.options import Options
from recplat.lang.predictions import Predictions


def compute(options: Options, predictions: Predictions) -> float | None:
    """Mean loss in nats; None without rows or where a logit isn't finite."""
    if not predictions.labels_N.size or not np.isfinite(predictions.logits_N).all():
        return None
    weights_N = predictions.weights_N
    if weights_N is not None and weights_N.sum() <= 0:
        return None
    logits_N = predictions.logits_N.astype(np.float64)
    # -log of the probability of the right class: no overflow, no cancellation, however large the logit.
    losses_N = np.logaddexp(0.0, np.where(predictions.labels_N > 0.5, -logits_N, logits_N))
    return float(np.average(losses_N, weights=weights_N))
