"""Keys that are numbered already."""

import numpy as np

from recplat.catalog.transforms.identity.options import Options
from recplat.catalog.values import BadValue, Keys, Outcome
from recplat.lang.statistics import MISSING_ID, NUM_RESERVED_IDS, UNKNOWN_ID


def transform(options: Options, keys: Keys, state: None) -> Outcome:
    numbers = keys.distinct.to_numpy(zero_copy_only=False)
    num_ids = numbers.dtype.type(options.num_ids)
    is_outside = (numbers < 0) | (numbers >= num_ids)
    num_outside = int(keys.spread(is_outside, 0).sum())
    if num_outside and options.out_of_range == "error":
        index = keys.first_index(is_outside)
        raise BadValue(
            "data-value-out-of-range",
            index,
            f"key {keys.distinct[int(keys.codes_N[index])]} is outside of 0..{options.num_ids - 1}",
            "raise `num_ids`, or write `out_of_range: oov` or `out_of_range: modulo`",
        )
    if options.out_of_range == "modulo":
        ids = (numbers % num_ids).astype(np.int64) + NUM_RESERVED_IDS
    else:
        inside = np.where(is_outside, numbers.dtype.type(0), numbers).astype(np.int64)
        ids = np.where(is_outside, UNKNOWN_ID, inside + NUM_RESERVED_IDS)
    return Outcome(keys.spread(ids, MISSING_ID), {"out_of_range": num_outside})
