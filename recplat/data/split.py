"""Which part each row of a source belongs to: `TRAIN`, `EVAL`, `TEST`, or `LEFT_OUT`, one byte a row."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from recplat.catalog.reading import as_keys, as_numbers
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
        return lambda rows: _by_column(rows.batch.column(split.column), part_of)
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


def _by_column(column: pa.Array, part_of: dict[str, int]) -> Parts:
    keys = as_keys(column, "string")
    parts = np.fromiter((part_of.get(key, LEFT_OUT) for key in keys.distinct.to_pylist()), np.uint8, len(keys.distinct))
    return keys.spread(parts, LEFT_OUT)


def _time_order(split: SplitTime, table: Table) -> NDArray[np.int64]:
    """Row numbers from the earliest to the latest; equal times by `ties`, then in the order of the source."""
    columns = (split.column, *split.ties)
    _check_types(split, table)
    times: list[NDArray[Any]] = []
    ties: list[pa.RecordBatch] = []
    for rows in table.rows(columns):
        try:
            times.append(_times(rows.batch.column(split.column)))
        except BadValue as bad:
            raise Problems([row_problem(bad, rows, f"column `{split.column}`", _PATH)]) from None
        ties.append(rows.batch.select(list(split.ties)))
    if len({array.dtype.kind == "M" for array in times}) > 1:
        message = f"column `{split.column}` holds dates in one place and numbers in another"
        raise Problems([Diagnostic("data-column-type", message, help="write it as one type", path=_PATH)])
    if not times:
        return np.empty(0, np.int64)
    keys: dict[str, Any] = {"time": pa.array(np.concatenate(times))}
    for index, column in enumerate(split.ties):
        keys[f"tie{index}"] = pa.chunked_array([batch.column(column) for batch in ties])
    # Arrow's sort is stable; a null among the ties comes last.
    order = pc.sort_indices(pa.table(keys), sort_keys=[(name, "ascending") for name in keys])
    return np.asarray(order.to_numpy(), np.int64)


def _check_types(split: SplitTime, table: Table) -> None:
    for file, type_ in table.types(split.column):
        if pa.types.is_nested(type_) or (pa.types.is_temporal(type_) and not _is_date(type_)):
            unfit = UnfitType(
                f"is of type {type_}, which orders no rows", "name a column of numbers, dates or timestamps"
            )
            raise Problems([type_problem(unfit, split.column, file, _PATH)])
    for index, column in enumerate(split.ties):
        for file, type_ in table.types(column):
            if pa.types.is_nested(type_):
                unfit = UnfitType(f"is of type {type_}, which orders no rows", "name a column of plain values")
                raise Problems([type_problem(unfit, column, file, f"spec.data.split.ties.{index}")])


def _times(column: pa.Array) -> NDArray[Any]:
    if _is_date(column.type) or pa.types.is_integer(column.type):
        is_missing = column.is_null().to_numpy(zero_copy_only=False)
        return _without_missing(column.to_numpy(zero_copy_only=False), is_missing)
    return _times_of_text(column)


def _is_date(type_: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(type_) or pa.types.is_date(type_))


def _times_of_text(column: pa.Array) -> NDArray[Any]:
    """Numbers, or texts that are numbers or dates such as `2024-01-31` or `2024-01-31 12:30:00`."""
    try:
        numbers, _ = as_numbers(column)
    except BadValue as bad:
        try:
            dates = column.cast(pa.timestamp("us"))
        except pa.ArrowInvalid:
            bad.help = "write the time as a number or as `2024-01-31 12:30:00`"
            bad.message = bad.message.replace("a number", "a number or a date")
            raise bad from None
        return _without_missing(dates.to_numpy(zero_copy_only=False), dates.is_null().to_numpy(zero_copy_only=False))
    return _without_missing(numbers, np.isnan(numbers))


def _without_missing(times: NDArray[Any], is_missing: NDArray[np.bool_]) -> NDArray[Any]:
    if is_missing.any():
        index = int(np.flatnonzero(is_missing)[0])
        raise BadValue("data-time-missing", index, "the time is missing", "remove the row, or write its time")
    return times
