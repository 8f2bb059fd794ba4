"""Labels and weights of rows: every one is there and means something, or the row is refused."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from recplat.catalog.reading import as_keys, as_numbers
from recplat.catalog.value_types import check_number
from recplat.catalog.values import BadValue, UnfitType
from recplat.lang.conditions import Condition, parse_condition, write_condition

_COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def read_labels(column: pa.Array, positive: str | None) -> NDArray[np.float32]:
    """1.0 where the condition holds, else 0.0; shape [B]. Without a condition the column must hold 0 and 1 only.

    Raises:
        BadValue: a label is missing, no number where one is needed, or neither 0 nor 1.
    """
    condition = None if positive is None else parse_condition(positive)
    if condition is not None and not condition.is_numeric:
        return _text_labels(column, condition)
    numbers = _numbers(column, _which_are_positive)
    _refuse_missing(np.isnan(numbers))
    if condition is not None:
        return _holds(numbers, _in_precision(condition, column.type)).astype(np.float32)
    is_wrong = (numbers != 0) & (numbers != 1)
    if is_wrong.any():
        index = int(np.flatnonzero(is_wrong)[0])
        message = f"{numbers[index]:g} is neither 0 nor 1"
        help = 'say which labels are positive, for instance `positive: ">= 4"`, or correct the row'
        raise BadValue("data-label-invalid", index, message, help)
    return numbers.astype(np.float32)


def read_weights(column: pa.Array) -> NDArray[np.float32]:
    """Weights, shape [B].

    Raises:
        BadValue: a weight is missing, infinite, negative or no number.
    """
    numbers = _numbers(column, lambda text: "correct it, or choose a column of numbers as `data.weight`")
    is_wrong = ~(numbers >= 0)
    if is_wrong.any():
        index = int(np.flatnonzero(is_wrong)[0])
        shown = "missing or not finite" if np.isnan(numbers[index]) else f"{numbers[index]:g}, below 0"
        help = "write a number >= 0 (0 leaves the row out of loss and metrics), or remove the row"
        raise BadValue("data-weight-invalid", index, f"the weight is {shown}", help)
    return numbers.astype(np.float32)


def check_label_type(type_: pa.DataType, positive: str | None) -> None:
    """
    Raises:
        UnfitType: labels can't be read from a column of that type.
    """
    condition = None if positive is None else parse_condition(positive)
    try:
        check_number(type_)
    except UnfitType:
        help = "name a column of numbers, booleans or texts"
        raise UnfitType(f"is of type {type_}, which is no label", help) from None
    if condition is not None and not condition.is_numeric and pa.types.is_floating(type_):
        help = f"compare with a number, for instance `{condition.operator} 1`"
        raise UnfitType(f"is of type {type_}, but `{positive}` compares with a text", help)


def _numbers(column: pa.Array, help: Callable[[str], str]) -> NDArray[np.float64]:
    """Numbers, NaN where one is missing; what is none is refused with a remedy of its own."""
    try:
        return as_numbers(column)[0]
    except BadValue as bad:
        bad.help = help(str(column[bad.index]))
        raise


def _which_are_positive(text: str) -> str:
    condition = write_condition(Condition("in", (text,)))
    return f"say which values are positive, for instance `positive: '{condition}'`, or correct the row"


def _text_labels(column: pa.Array, condition: Condition) -> NDArray[np.float32]:
    keys = as_keys(column, "string")
    _refuse_missing(keys.codes_N < 0)
    is_among = pc.is_in(keys.distinct, value_set=pa.array(condition.values, pa.string()))
    is_positive = np.asarray(is_among.to_numpy(zero_copy_only=False), np.float32)
    return keys.spread(1 - is_positive if condition.operator == "!=" else is_positive, 0)


def _holds(numbers: NDArray[np.float64], condition: Condition) -> NDArray[np.bool_]:
    if condition.operator in _COMPARE:
        return np.asarray(_COMPARE[condition.operator](numbers, condition.values[0]), np.bool_)
    return np.isin(numbers, condition.values, invert=condition.operator == "!=")


def _in_precision(condition: Condition, type_: pa.DataType) -> Condition:
    """The numbers compared with, as precise as the column: what a float32 column holds as 4.1 is less than 4.1."""
    if not (pa.types.is_float32(type_) or pa.types.is_float16(type_)):
        return condition
    with np.errstate(over="ignore"):  # beyond the type's range nothing lies
        rounded = np.asarray(condition.values, type_.to_pandas_dtype()).astype(np.float64)
    return Condition(condition.operator, tuple(rounded.tolist()))


def _refuse_missing(is_missing: NDArray[np.bool_]) -> None:
    if is_missing.any():
        index = int(np.flatnonzero(is_missing)[0])
        message = "the label is missing (null, NaN or infinite)"
        raise BadValue("data-label-missing", index, message, "remove the row, or write its label")
