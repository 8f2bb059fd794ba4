"""Keys to buckets."""

import numpy as np

from recplat.catalog.hashing import hash_keys, mix
from recplat.catalog.transforms.hash.options import Options
from recplat.catalog.values import Keys, Outcome
from recplat.lang.statistics import MISSING_ID, NUM_RESERVED_IDS


def transform(options: Options, keys: Keys, state: None) -> Outcome:
    buckets = mix(hash_keys(keys.distinct), options.seed) % np.uint64(options.buckets)
    return Outcome(keys.spread(buckets.astype(np.int64) + NUM_RESERVED_IDS, MISSING_ID))
