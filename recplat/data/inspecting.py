"""A look at a source: what each column holds, and the features that it suggests."""

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from recplat.catalog.reading import as_keys, as_numbers, flatten
from recplat.catalog.value_types import is_list, is_text
from recplat.catalog.values import BadValue, Keys, Numbers
from recplat.data.separators import separator_of
from recplat.data.table import Progress, Table
from recplat.data.vocabularies import KeyCounter
from recplat.diagnostics import Diagnostic, Problems
from recplat.spec.types import Source

#: Above it distinct values are no longer counted.
MAX_DISTINCT = 1_000_000
#: Above it the values of a column are not listed.
MAX_VALUES = 20
_NUM_EXAMPLES = 3
_EXAMPLE_LENGTH = 24

Kind = Literal[
    "number", "whole number", "text", "boolean", "time", "list of numbers", "list of texts", "nothing", "other"
]


class ColumnReport(msgspec.Struct, frozen=True, kw_only=True):
    """One column over all rows. For lists the figures are those of their items, and `num_nulls` counts null lists."""

    name: str
    type: str  # as the file has it
    kind: Kind  # what its values are; texts that are all numbers are numbers
    num_nulls: int
    num_distinct: int | None  # None: more than `MAX_DISTINCT`, or not counted for this type
    min: float | None
    max: float | None
    mean_length: float | None  # of lists
    examples: tuple[str, ...]
    values: tuple[str, ...]  # of texts: all, the most frequent first, where they are no more than `MAX_VALUES`
    separator: str | None  # what stands between the keys of texts that hold several


class Inspection(msgspec.Struct, frozen=True, kw_only=True):
    files: tuple[str, ...]
    num_rows: int
    columns: tuple[ColumnReport, ...]


def inspect_source(source: Source, root: Path, *, progress: Progress | None = None) -> Inspection:
    """Reads all rows of a source once.

    Raises:
        Problems: files are missing or broken. No spec names them, so the faults have no path.
    """
    try:
        return _inspect(Table(source, root, "source"), progress)
    except Problems as problems:
        raise Problems(msgspec.structs.replace(fault, path=None) for fault in problems.diagnostics) from None


def _inspect(table: Table, progress: Progress | None) -> Inspection:
    _refuse_wrong_delimiter(table)
    names = tuple(table.schemas[0])
    columns = [_Column(name, table.schemas[0][name]) for name in names]
    num_rows = 0
    for rows in table.rows(names):
        for column in columns:
            column.add(rows.batch.column(column.name))
        num_rows += rows.batch.num_rows
        if progress is not None:
            progress("inspect", num_rows, None)
    shown = tuple(file.shown for file in table.files)
    return Inspection(files=shown, num_rows=num_rows, columns=tuple(column.report() for column in columns))


def _refuse_wrong_delimiter(table: Table) -> None:
    if fault := table.delimiter_fault():
        message, delimiter = fault
        shown = "\\t" if delimiter == "\t" else delimiter
        help = f"give `--delimiter '{shown}'`"
        raise Problems([Diagnostic("data-delimiter-wrong", message, help=help)])


class _Column:
    def __init__(self, name: str, type_: pa.DataType) -> None:
        self.name = name
        self._type = type_
        self._num_rows = self._num_nulls = self._num_items = 0
        self._min, self._max = np.inf, -np.inf
        # What the values may still turn out to be.
        self._may_be_number = self._may_be_whole = self._is_text = True
        self._counter: KeyCounter | None = KeyCounter("string")
        self._examples: list[str] = []

    def add(self, array: pa.Array) -> None:
        self._num_rows += len(array)
        self._num_nulls += array.null_count
        items = flatten(array)[0] if is_list(self._type) else array
        self._num_items += len(items) - items.null_count
        self._add_examples(array)
        if self._kind() in ("time", "other") or pa.types.is_null(items.type):
            return
        self._add_numbers(items)
        if self._counter is not None:
            try:
                self._count(as_keys(items, "string"))
            except BadValue:  # bytes that are no text
                self._is_text = False

    def report(self) -> ColumnReport:
        kind = self._kind()
        is_number = kind in ("number", "whole number", "list of numbers")
        counted = self._counter.result()[0] if self._counter is not None and kind not in ("time", "other") else None
        texts = counted if kind == "text" else None
        return ColumnReport(
            name=self.name,
            type=str(self._type),
            kind=kind,
            num_nulls=self._num_nulls,
            num_distinct=None if counted is None else len(counted),
            min=self._min if is_number and self._min <= self._max else None,
            max=self._max if is_number and self._min <= self._max else None,
            mean_length=self._num_items / max(self._num_rows, 1) if is_list(self._type) else None,
            examples=tuple(self._examples),
            values=tuple(texts.to_pylist()) if texts is not None and len(texts) <= MAX_VALUES else (),
            separator=separator_of(texts) if texts is not None else None,
        )

    def _kind_of_type(self) -> Kind | None:
        item = self._type.value_type if is_list(self._type) else self._type
        if pa.types.is_null(item):
            return "nothing"
        if pa.types.is_temporal(item):
            return "time"
        return "other" if pa.types.is_nested(item) or pa.types.is_fixed_size_binary(item) else None

    def _kind(self) -> Kind:
        known = self._kind_of_type() if self._is_text else "other"
        if known is not None:
            return known
        if self._num_items == 0:
            return "nothing"
        if is_list(self._type):
            return "list of numbers" if self._may_be_number and not is_text(self._type.value_type) else "list of texts"
        if pa.types.is_boolean(self._type):
            return "boolean"
        if self._may_be_whole:
            return "whole number"
        return "number" if self._may_be_number else "text"

    def _add_numbers(self, items: pa.Array) -> None:
        if not self._may_be_number:
            return
        numbers = None if _has_leading_zeros(items) else _numbers(items)
        if numbers is None:
            self._may_be_number = self._may_be_whole = False
            return
        numbers = numbers[~np.isnan(numbers)]
        if len(numbers):
            self._min, self._max = min(self._min, float(numbers.min())), max(self._max, float(numbers.max()))
        self._may_be_whole = self._may_be_whole and _is_whole(items)

    def _count(self, keys: Keys) -> None:
        assert self._counter is not None
        self._counter.add(keys)
        if self._counter.num_at_most() > 2 * MAX_DISTINCT and len(self._counter.result()[0]) > MAX_DISTINCT:
            self._counter = None

    def _add_examples(self, array: pa.Array) -> None:
        for value in array.slice(0, 100):
            if len(self._examples) == _NUM_EXAMPLES:
                return
            text = _short(value)
            if value.is_valid and text not in self._examples:
                self._examples.append(text)


def _numbers(items: pa.Array) -> Numbers | None:
    try:
        return as_numbers(items)[0]
    except BadValue:
        return None


def _is_whole(items: pa.Array) -> bool:
    try:
        as_keys(items, "uint64" if pa.types.is_uint64(items.type) else "int64")
    except BadValue:
        return False
    return True


def _has_leading_zeros(items: pa.Array) -> bool:
    """Whether there are texts such as `007`: as numbers they would lose their zeros."""
    return is_text(items.type) and bool(pc.any(pc.match_substring_regex(items, r"^\s*[+-]?0[0-9]")).as_py())


def _short(value: pa.Scalar) -> str:
    try:
        text = str(value.as_py())
    except (OverflowError, ValueError):  # a date beyond Python's
        text = f"{value.type} {value.value}"
    # A line end would break the table, an escape sequence the terminal.
    text = "".join(each if each.isprintable() else repr(each)[1:-1] for each in text[: _EXAMPLE_LENGTH + 1])
    return text if len(text) <= _EXAMPLE_LENGTH else f"{text[: _EXAMPLE_LENGTH - 1]}…"
