"""Keys to their place in the vocabulary."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.catalog.lookup import Lookup
from recplat.catalog.transforms.vocabulary.options import Options
from recplat.catalog.values import BadValue, Keys, Outcome
from recplat.lang.statistics import MISSING_ID, NUM_RESERVED_IDS, UNKNOWN_ID


def select(options: Options, values: pa.Array, counts: NDArray[np.int64]) -> pa.Array:
    """The vocabulary, out of all keys of the training rows and how often they occur, the most frequent first."""
    num_kept = int(np.searchsorted(-counts, -options.min_count, side="right"))
    return values.slice(0, num_kept if options.max_size is None else min(num_kept, options.max_size))


def transform(options: Options, keys: Keys, state: Lookup) -> Outcome:
    positions = state.find(keys.distinct)
    is_unknown = positions < 0
    ids = np.where(is_unknown, UNKNOWN_ID, positions + NUM_RESERVED_IDS)
    num_unknown = int(keys.spread(is_unknown, 0).sum())
    if num_unknown and options.unknown == "error":
        index = keys.first_index(is_unknown)
        raise BadValue(
            "data-value-unknown",
            index,
            f"`{keys.distinct[int(keys.codes_N[index])]}` is not in the vocabulary of the training rows",
            "write `unknown: oov` to give such keys id 1, or add them to the training rows",
        )
    return Outcome(keys.spread(ids, MISSING_ID), {"unknown": num_unknown})
