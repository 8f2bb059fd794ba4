"""Keys in the order of time."""

from collections.abc import Sequence

import pyarrow as pa

from recplat.catalog.features.sequence.options import Options
from recplat.catalog.reading import keep_ends, read_lists
from recplat.catalog.values import Flat
from recplat.lang.statistics import ValueType


def read(options: Options, columns: Sequence[pa.Array], value_type: ValueType) -> Flat:
    flat = read_lists(columns[0], value_type, options.separator)
    return keep_ends(flat, options.max_length, last=options.keep == "last")
