import numpy as np

from recplat.catalog import builtin_catalog
from recplat.lang.predictions import Predictions


def predictions(logits, labels, weights=None, dtype=np.float64, **groups):
    return Predictions(
        logits_N=np.asarray(logits, dtype),
        labels_N=np.asarray(labels, np.float32),
        weights_N=None if weights is None else np.asarray(weights, np.float32),
        groups={column: np.asarray(values, np.int64) for column, values in groups.items()},
    )


def measure(name, rows, **fields):
    """One metric of these predictions."""
    options = builtin_catalog().options("metrics", name)(**fields)
    return builtin_catalog().implementation(options, "compute").compute(options, rows)


def made_up(num_rows, *, seed=0, num_scores=None, weighted=False, num_groups=1, dtype=np.float64):
    """Logits that say something about the labels; `num_scores`: so few distinct ones, hence ties."""
    generator = np.random.default_rng(seed)
    logits = generator.normal(size=num_rows) * 2
    if num_scores:
        logits = np.round(logits * num_scores / 8) / num_scores * 8
    labels = generator.random(num_rows) < 1 / (1 + np.exp(-logits))
    # Powers of two and zero: exact in any order of addition.
    weights = generator.choice([0.0, 0.5, 1.0, 4.0], num_rows) if weighted else None
    return predictions(logits, labels, weights, dtype, user=generator.integers(0, num_groups, num_rows))
