"""One key a row, or a set of them."""

from collections.abc import Sequence

import pyarrow as pa

from recplat.catalog.features.categorical.options import Options
from recplat.catalog.reading import read_lists, read_scalar
from recplat.catalog.values import Flat
from recplat.lang.statistics import ValueType


def read(options: Options, columns: Sequence[pa.Array], value_type: ValueType) -> Flat:
    if options.multivalent:
        return read_lists(columns[0], value_type, options.separator)
    return read_scalar(columns[0], value_type)
