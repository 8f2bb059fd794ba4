"""(x - mean) / standard deviation."""

import numpy as np

from recplat.catalog.transforms.zscore.options import Options
from recplat.catalog.values import Numbers, Outcome
from recplat.lang.statistics import Moments


def transform(options: Options, numbers: Numbers, state: Moments) -> Outcome:
    if state.std == 0.0:
        return Outcome(np.where(np.isnan(numbers), np.nan, 0.0))
    with np.errstate(over="ignore"):  # whoever reads the result moves it into float32's range
        return Outcome((numbers - state.mean) / state.std)
