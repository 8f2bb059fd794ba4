"""Which part each row of a source belongs to: `TRAIN`, `EVAL`, `TEST`, or `LEFT_OUT`, one byte a row."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from recplat.catalog.reading import as_keys, as_numbers, plain
from recplat.catalog.value_types import check_number, is_text
from recplat.catalog.values import BadValue, UnfitType
from recplat.data.problems import row_problem, type_problem
from recplat.data.table import ColumnUse, Rows, Table
from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.statistics import PARTS
from recplat.spec.types import SplitColumn, SplitRandom, SplitTime

TRAIN, EVAL, TEST = range(len(PARTS))
LEFT_OUT = 255

Parts = NDArray[np.uint8]
#: The part of each row of a batch, shape [B].
Splitter = Callable[[Rows], Parts]

_PATH = "spec.data.split.column"
#: Forms of dates as text; those with a zone are brought to UTC.
_DATES = {"a date": pa.timestamp("us"), "a date with a time zone": pa.timestamp("us", "UTC")}


def column_uses(split: SplitRandom | SplitTime | SplitColumn) -> tuple[ColumnUse, ...]:
    """The columns that a split reads."""
    if isinstance(split, SplitRandom):
        return ()
    ties = split.ties if isinstance(split, SplitTime) else ()
    return (
        ColumnUse(split.column, _PATH),
        *(ColumnUse(column, f"spec.data.split.ties.{index}") for index, column in enumerate(ties)),
    )


def open_split(split: SplitRandom | SplitTime | SplitColumn, table: Table) -> Splitter:
    """A function that tells the part of rows.

    A random split keeps one byte a row; a split by time reads its columns of all rows once.
    """
    if isinstance(split, SplitColumn):
        part_of = {value: part for part, name in enumerate(PARTS) for value in getattr(split, name)}
        return lambda rows: _by_column(rows, split.column, part_of)
    if isinstance(split, SplitRandom):
        order = np.random.default_rng(split.seed).permutation(table.num_rows)
    else:
        order = _time_order(split, table)
    parts = np.empty(len(order), np.uint8)
    for part, (start, end) in enumerate(_cuts(split.fractions, len(order))):
        parts[order[start:end]] = part
    return lambda rows: parts[rows.row_in_table : rows.row_in_table + rows.batch.num_rows]


def _cuts(fractions: Sequence[float], num_rows: int) -> list[tuple[int, int]]:
    """Start and end of each part in the order: the cumulative fractions of the rows, rounded half up.

    The last part ends with the last row.
    """
    ends = [int(np.floor(num_rows * total + 0.5)) for total in np.cumsum(fractions)]
    ends[-1] = num_rows
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _by_column(rows: Rows, column: str, part_of: dict[str, int]) -> Parts:
    try:
        keys = as_keys(rows.batch.column(column), "string")
    except BadValue as bad:
        raise Problems([row_problem(bad, rows, f"column `{column}`", _PATH)]) from None
    parts = np.fromiter((part_of.get(key, LEFT_OUT) for key in keys.distinct.to_pylist()), np.uint8, len(keys.distinct))
    return keys.spread(parts, LEFT_OUT)


def _time_order(split: SplitTime, table: Table) -> NDArray[np.int64]:
    """Row numbers from the earliest to the latest; equal times by `ties`, then in the order of the source."""
    columns = (split.column, *split.ties)
    _check_types(split, table)
    times: list[NDArray[Any]] = []
    ties: list[list[pa.Array]] = [[] for _ in split.ties]
    for rows in table.rows(columns):
        try:
            times.append(_times(plain(rows.batch.column(split.column))))
        except BadValue as bad:
            raise Problems([row_problem(bad, rows, f"column `{split.column}`", _PATH)]) from None
        for column, found in zip(split.ties, ties, strict=True):
            found.append(_sortable(plain(rows.batch.column(column))))
    if len({array.dtype.kind == "M" for array in times}) > 1:
        message = f"column `{split.column}` holds dates in one place and numbers in another"
        raise Problems([Diagnostic("data-column-type", message, help="write it as one type", path=_PATH)])
    if not times:
        return np.empty(0, np.int64)
    keys: dict[str, Any] = {"time": pa.array(np.concatenate(times))}
    for index, found in enumerate(ties):
        keys[f"tie{index}"] = pa.chunked_array(found)
    # Arrow's sort is stable; a null among the ties comes last.
    order = pc.sort_indices(pa.table(keys), sort_keys=[(name, "ascending") for name in keys])
    return np.asarray(order.to_numpy(), np.int64)


def _check_types(split: SplitTime, table: Table) -> None:
    for file, type_ in table.types(split.column):
        if _is_date(type_):
            continue
        try:
            check_number(type_)
        except UnfitType:
            help = "name a column of numbers, dates or timestamps"
            unfit = UnfitType(f"is of type {type_}, which orders no rows", help)
            raise Problems([type_problem(unfit, split.column, file, _PATH)]) from None
    for index, column in enumerate(split.ties):
        first: pa.DataType | None = None
        for file, type_ in table.types(column):
            found = _sortable(plain(pa.nulls(0, type_))).type
            first = found if first is None else first
            if pa.types.is_nested(found):
                unfit = UnfitType(f"is of type {type_}, which orders no rows", "name a column of plain values")
            elif found != first:
                help = "write the files with one type for this column"
                unfit = UnfitType(f"is {type_}, but {first} in the file before", help)
            else:
                continue
            raise Problems([type_problem(unfit, column, file, f"spec.data.split.ties.{index}")])


def _sortable(column: pa.Array) -> pa.Array:
    """The same order in a type that Arrow sorts, one for all widths of a number or a text."""
    if pa.types.is_signed_integer(column.type):
        return column.cast(pa.int64())
    if pa.types.is_floating(column.type):
        return column.cast(pa.float64())
    return column.cast(pa.large_binary()) if is_text(column.type) else column


def _times(column: pa.Array) -> NDArray[Any]:
    if _is_date(column.type) or pa.types.is_integer(column.type):
        is_missing = column.is_null().to_numpy(zero_copy_only=False)
        return _without_missing(column.to_numpy(zero_copy_only=False), is_missing)
    return _times_of_text(column)


def _is_date(type_: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(type_) or pa.types.is_date(type_))


def _times_of_text(column: pa.Array) -> NDArray[Any]:
    """Numbers, or texts that are numbers or dates such as `2024-01-31`, `2024-01-31 12:30:00`, `2024-01-31T12:30Z`."""
    try:
        numbers, _ = as_numbers(column)
    except BadValue:
        texts = column.cast(pa.string())
        dates = _dates(texts)
        if dates is None:
            raise _no_time(texts) from None
        return _without_missing(dates.to_numpy(zero_copy_only=False), dates.is_null().to_numpy(zero_copy_only=False))
    return _without_missing(numbers, np.isnan(numbers))


def _dates(texts: pa.Array) -> pa.Array | None:
    """The texts as dates; None where they are not all of one form of date."""
    for type_ in _DATES.values():
        try:
            return texts.cast(type_)
        except pa.ArrowInvalid:
            continue
    return None


def _no_time(texts: pa.Array) -> BadValue:
    """The first text that is no time, or another form of it than the first text."""
    forms = [(index, text, _form(text)) for index, text in enumerate(texts) if text.is_valid]
    first = forms[0][2]
    index, text, form = next(each for each in forms if each[2] is None or each[2] != first)
    what = "is not a number or a date" if form is None else f"is {form}, where others are {first}"
    help = "write all times as numbers or like `2024-01-31 12:30:00`"
    return BadValue("data-value-type", index, f"`{text}` {what}", help)


def _form(text: pa.Scalar) -> str | None:
    for words, type_ in {"a number": pa.float64(), **_DATES}.items():
        try:
            text.cast(type_)
        except pa.ArrowInvalid:
            continue
        return words
    return None


def _without_missing(times: NDArray[Any], is_missing: NDArray[np.bool_]) -> NDArray[Any]:
    if is_missing.any():
        index = int(np.flatnonzero(is_missing)[0])
        raise BadValue("data-time-missing", index, "the time is missing", "remove the row, or write its time")
    return times
