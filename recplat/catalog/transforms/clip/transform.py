"""Numbers moved into a range."""

import numpy as np

from recplat.catalog.transforms.clip.options import Options
from recplat.catalog.values import Numbers, Outcome


def transform(options: Options, numbers: Numbers, state: None) -> Outcome:
    low = -np.inf if options.min is None else options.min
    high = np.inf if options.max is None else options.max
    num_outside = int(((numbers < low) | (numbers > high)).sum())
    return Outcome(np.clip(numbers, low, high), {"clipped": num_outside})
