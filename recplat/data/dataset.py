"""All rows of a job with the part each belongs to, whether one source is split or each part has its own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.catalog.reading import as_keys
from recplat.catalog.values import BadValue
from recplat.data import split
from recplat.data.columns import LABEL_PATH, WEIGHT_PATH, column_uses, type_faults, value_type
from recplat.data.labels import read_labels, read_weights
from recplat.data.problems import row_problem
from recplat.data.table import Progress, Rows, Table
from recplat.diagnostics import Problems
from recplat.lang.statistics import PARTS, SourceFile, ValueType
from recplat.spec.types import Data, SplitColumn, TrainingJob

_MAX_VALUES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class PartRows:
    """Those rows of a batch that belong to one part, or to none (`split.LEFT_OUT`).

    `indices`: their places in the batch; None where it belongs to the part as a whole.
    """

    part: int
    batch: pa.RecordBatch
    rows: Rows
    indices: NDArray[np.int64] | None

    @contextmanager
    def refusing(self, what: str, path: str) -> Iterator[None]:
        """Turns a `BadValue` whose index is a row of the part into a fault with file and row.

        Raises:
            Problems: in place of the `BadValue`.
        """
        try:
            yield
        except BadValue as bad:
            row = bad.index if self.indices is None else int(self.indices[bad.index])
            raise Problems([row_problem(bad, self.rows, what, path, row=row)]) from None


class Dataset:
    """The data of a job, opened: files found, columns and their types checked.

    Raises (all methods):
        Problems: faults of files, columns or values.
    """

    def __init__(self, job: TrainingJob, root: Path) -> None:
        self.data = job.spec.data
        self._tables = _open_tables(self.data, root)
        tables = tuple(self._tables.values())
        uses = column_uses(job.spec)
        if missing := [fault for table in tables for fault in table.missing(uses)]:
            raise Problems(missing)
        if faults := list(type_faults(job.spec, tables)):
            raise Problems(faults)
        self.value_types: Mapping[str, ValueType] = {f.name: value_type(f, tables) for f in job.spec.features}
        self._splitters: dict[str, split.Splitter] = {}

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """Every input file as it was when it was found, in reading order."""
        return _files(self._tables)

    def has_part(self, name: str) -> bool:
        """Whether the spec says anything of that part; it may still be without rows."""
        if self.data.source is None:
            return name in self._tables
        if isinstance(self.data.split, SplitColumn):
            return bool(getattr(self.data.split, name))
        assert self.data.split is not None
        return PARTS.index(name) < len(self.data.split.fractions)

    def rows(self, columns: Sequence[str], *, progress: Progress | None, what: str) -> Iterator[PartRows]:
        """Every row, in the order of the source, with these columns, a batch divided by part.

        Args:
            what: what `progress` is told is being done.
        """
        read = [*dict.fromkeys((*columns, *self._split_columns()))]
        num_rows = self._num_rows_if_cheap()
        num_done = 0
        for name, table in self._tables.items():
            splitter = self._splitter(name, table)
            for rows in table.rows(read):
                yield from _by_part(rows, splitter(rows))
                num_done += rows.batch.num_rows
                if progress is not None:
                    progress(what, num_done, num_rows)

    def first_rows(self, columns: Sequence[str], num_rows: int) -> Iterator[PartRows]:
        """At most so many rows of each source, with these columns. Where it takes all rows to tell a row's part, they
        stand as training rows.
        """
        read = [*dict.fromkeys((*columns, *self._split_columns()))]
        for name, table in self._tables.items():
            rows = next(table.rows(read), None)
            if rows is None:
                continue
            rows = replace(rows, batch=rows.batch.slice(0, num_rows))
            if name in PARTS or isinstance(self.data.split, SplitColumn):
                yield from _by_part(rows, self._splitter(name, table)(rows))
            else:
                yield PartRows(split.TRAIN, rows.batch, rows, None)

    def unlisted_values(self) -> tuple[str, ...]:
        """Some values of the column that a split goes by which it gives to no part, in backticks; reads rows."""
        data = self.data
        if data.source is None or not isinstance(data.split, SplitColumn):
            return ()
        found: dict[str, None] = {}
        for rows in self.rows((), progress=None, what="values"):
            if rows.part == split.LEFT_OUT:
                values = as_keys(rows.batch.column(data.split.column), "string").distinct.to_pylist()
                found |= {f"`{value}`": None for value in values[:_MAX_VALUES_SHOWN]}
            if len(found) >= _MAX_VALUES_SHOWN:
                break
        return tuple(found)[:_MAX_VALUES_SHOWN]

    def labels(self, rows: PartRows) -> NDArray[np.float32]:
        label = self.data.label
        with rows.refusing(f"label `{label.column}`", LABEL_PATH):
            return read_labels(rows.batch.column(label.column), label.positive)

    def weights(self, rows: PartRows) -> NDArray[np.float32] | None:
        if self.data.weight is None:
            return None
        with rows.refusing(f"weight `{self.data.weight}`", WEIGHT_PATH):
            return read_weights(rows.batch.column(self.data.weight))

    def label_columns(self) -> tuple[str, ...]:
        """The columns that `labels` and `weights` need."""
        return (self.data.label.column, *(() if self.data.weight is None else (self.data.weight,)))

    def _split_columns(self) -> tuple[str, ...]:
        return (self.data.split.column,) if isinstance(self.data.split, SplitColumn) else ()

    def _splitter(self, name: str, table: Table) -> split.Splitter:
        if name not in self._splitters:
            if name in PARTS:
                part = PARTS.index(name)
                self._splitters[name] = lambda rows: np.full(rows.batch.num_rows, part, np.uint8)
            else:
                assert self.data.split is not None, "the rules ask for a split"
                self._splitters[name] = split.open_split(self.data.split, table)
        return self._splitters[name]

    def _num_rows_if_cheap(self) -> int | None:
        tables = self._tables.values()
        if all(file.format == "parquet" for table in tables for file in table.files):
            return sum(table.num_rows for table in tables)
        return None


def source_files(data: Data, root: Path) -> tuple[SourceFile, ...]:
    """Every input file as it is now, in reading order, without looking inside.

    Raises:
        Problems: a source names no file that can be read.
    """
    return _files(_open_tables(data, root))


def _files(tables: Mapping[str, Table]) -> tuple[SourceFile, ...]:
    return tuple(file.identity() for table in tables.values() for file in table.files)


def _open_tables(data: Data, root: Path) -> dict[str, Table]:
    """The sources by name: `source`, or the parts. Faults of all of them are gathered."""
    tables: dict[str, Table] = {}
    problems: list[Problems] = []
    for name in ("source", *PARTS):
        source = getattr(data, name)
        if source is None:
            continue
        try:
            tables[name] = Table(source, root, f"spec.data.{name}")
        except Problems as found:
            problems.append(found)
    if problems:
        raise Problems([diagnostic for found in problems for diagnostic in found.diagnostics])
    return tables


def _by_part(rows: Rows, parts: split.Parts) -> Iterator[PartRows]:
    for part in np.unique(parts).tolist():
        indices = np.flatnonzero(parts == part)
        if len(indices) == len(parts):
            yield PartRows(part, rows.batch, rows, None)
        else:
            yield PartRows(part, rows.batch.take(pa.array(indices)), rows, indices)
