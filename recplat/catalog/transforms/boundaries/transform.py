"""Numbers to buckets between boundaries."""

import numpy as np

from recplat.catalog.transforms.boundaries.options import Options
from recplat.catalog.values import Numbers, Outcome
from recplat.lang.statistics import MISSING_ID, NUM_RESERVED_IDS


def transform(options: Options, numbers: Numbers, state: None) -> Outcome:
    ids = np.searchsorted(np.asarray(options.at, np.float64), numbers, side="right") + NUM_RESERVED_IDS
    return Outcome(np.where(np.isnan(numbers), MISSING_ID, ids))
