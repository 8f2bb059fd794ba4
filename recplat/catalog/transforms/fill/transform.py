"""A value in place of a missing one."""

import math

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.catalog.transforms.fill.options import Options
from recplat.catalog.values import BadValue, Keys, Numbers, Outcome


def transform(options: Options, values: Keys | Numbers, state: None) -> Outcome:
    is_missing = values.codes_N < 0 if isinstance(values, Keys) else np.isnan(values)
    num_missing = int(is_missing.sum())
    if not num_missing:
        return Outcome(values, {"filled": 0})
    if not isinstance(values, Keys):
        number = _checked(options.value, float, "numbers", is_missing)
        return Outcome(np.where(is_missing, number, values), {"filled": num_missing})
    distinct = pa.concat_arrays([values.distinct, _as_key(options.value, values.distinct.type, is_missing)])
    codes = np.where(is_missing, len(distinct) - 1, values.codes_N).astype(np.int32)
    return Outcome(Keys(distinct, codes), {"filled": num_missing})


def _as_key(value: float | int | str, type_: pa.DataType, is_missing: NDArray[np.bool_]) -> pa.Array:
    if pa.types.is_string(type_):
        return pa.array([str(value)])
    try:
        return pa.array([_checked(value, int, "whole numbers", is_missing)], type_)
    except OverflowError:
        raise _unfit(value, f"{type_} numbers", is_missing) from None


def _checked(
    value: float | int | str, kind: type[float] | type[int], what: str, is_missing: NDArray[np.bool_]
) -> float | int:
    try:
        converted = kind(value)
    except (ValueError, OverflowError):
        raise _unfit(value, what, is_missing) from None
    if not math.isfinite(converted) or (not isinstance(value, str) and converted != value):
        raise _unfit(value, what, is_missing)
    return converted


def _unfit(value: float | int | str, what: str, is_missing: NDArray[np.bool_]) -> BadValue:
    text = str(value)
    message = f"`fill` puts `{text if len(text) <= 40 else f'{text[:39]}…'}` into a column of {what}"
    return BadValue("data-fill-type", int(np.flatnonzero(is_missing)[0]), message, f"choose a value among {what}")
