"""N: rows."""

import math

import numpy as np

from recplat.catalog.metrics.ne.options import Options
from recplat.lang.predictions import Predictions


def compute(options: Options, predictions: Predictions) -> float | None:
    """Log loss by the entropy of the share of positive rows; None for one class or logits that aren't finite."""
    if not np.isfinite(predictions.logits_N).all():
        return None
    weights_N = predictions.weights_N
    positive_N = predictions.labels_N > 0.5
    if not positive_N.size or (weights_N is not None and weights_N.sum() <= 0):
        return None
    share = float(np.average(positive_N, weights=weights_N))
    if not 0.0 < share < 1.0:
        return None
    logits_N = predictions.logits_N.astype(np.float64)
    losses_N = np.logaddexp(0.0, np.where(positive_N, -logits_N, logits_N))
    entropy = -(share * math.log(share) + (1.0 - share) * math.log1p(-share))
    return float(np.average(losses_N, weights=weights_N)) / entropy
