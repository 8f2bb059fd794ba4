"""Runs one transform on plain Python values."""

from typing import Any

import numpy as np
import pyarrow as pa

from recplat.catalog import builtin_catalog
from recplat.catalog.reading import as_keys
from recplat.catalog.values import Keys, Outcome

CATALOG = builtin_catalog()


def apply(name: str, values: Any, state: Any = None, **options: Any) -> Outcome:
    made = CATALOG.options("transforms", name)(**options)
    return CATALOG.implementation(made, "transform").transform(made, values, state)


def keys(values: list[Any], value_type: Any = "string") -> Keys:
    return as_keys(pa.array(values), value_type)


def numbers(*values: float) -> Any:
    return np.array(values, np.float64)
