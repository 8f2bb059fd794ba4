"""N: rows, sorted by group and score. T: runs of rows of one group and one score. G: groups."""

import numpy as np
from numpy.typing import NDArray

from recplat.catalog.metrics.gauc.options import Options
from recplat.lang.predictions import Predictions


def compute(options: Options, predictions: Predictions) -> float | None:
    """The weighted mean of the groups' AUC, in time O(N log N).

    None where no group holds both classes, or scores aren't finite.
    """
    scores_N = predictions.logits_N
    if not scores_N.size or not np.isfinite(scores_N).all():
        return None
    groups_N = predictions.groups[options.group_by]
    order_N = np.lexsort((scores_N, groups_N))
    scores_N, groups_N = scores_N[order_N], groups_N[order_N]
    new_group_N = _differs(groups_N)
    new_run_N = new_group_N | _differs(scores_N)
    start_T = np.flatnonzero(new_run_N)
    weights_N = np.ones(scores_N.size) if predictions.weights_N is None else predictions.weights_N[order_N]
    positive_N = weights_N * (predictions.labels_N[order_N] > 0.5)
    positives_T = np.add.reduceat(positive_N.astype(np.float64), start_T)
    negatives_T = np.add.reduceat((weights_N - positive_N).astype(np.float64), start_T)
    return _mean_area(positives_T, negatives_T, np.flatnonzero(new_group_N[start_T]))


def _mean_area(
    positives_T: NDArray[np.float64], negatives_T: NDArray[np.float64], first_run_G: NDArray[np.intp]
) -> float | None:
    positives_G = np.add.reduceat(positives_T, first_run_G)
    negatives_G = np.add.reduceat(negatives_T, first_run_G)
    # Negatives of the same group with a lower score: those of all runs before, less those of the groups before.
    before_T = np.cumsum(negatives_T) - negatives_T
    runs_G = np.diff(first_run_G, append=positives_T.size)
    below_T = before_T - np.repeat(before_T[first_run_G], runs_G)
    ordered_G = np.add.reduceat(positives_T * (below_T + 0.5 * negatives_T), first_run_G)
    both_G = (positives_G > 0) & (negatives_G > 0)
    if not both_G.any():
        return None
    area_G = ordered_G[both_G] / (positives_G[both_G] * negatives_G[both_G])
    return float(np.average(area_G, weights=positives_G[both_G] + negatives_G[both_G]))


def _differs(values_N: NDArray[np.number]) -> NDArray[np.bool_]:
    """Whether each value differs from the one before; true for the first."""
    return np.append(True, values_N[1:] != values_N[:-1])
