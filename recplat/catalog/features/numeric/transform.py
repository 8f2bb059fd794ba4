"""One number a row."""

from collections.abc import Sequence

import pyarrow as pa

from recplat.catalog.features.numeric.options import Options
from recplat.catalog.reading import read_scalar
from recplat.catalog.values import Flat
from recplat.lang.statistics import ValueType


def read(options: Options, columns: Sequence[pa.Array], value_type: ValueType) -> Flat:
    return read_scalar(columns[0], value_type)
