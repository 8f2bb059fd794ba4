"""The rows of a source as one table, read in batches."""

import functools
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from recplat.data import csv_files, parquet_files
from recplat.data.files import DataFile, find_files, first_line
from recplat.diagnostics import Diagnostic, Problems, nearest
from recplat.spec.types import Source

#: Told of progress: what is being done, rows done, rows in all where that is known.
Progress = Callable[[str, int, int | None], None]

_READERS: dict[str, Any] = {"parquet": parquet_files, "csv": csv_files, "tsv": csv_files}
_MAX_NAMES_SHOWN = 30


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """A column that the spec asks for, and the place where it does."""

    column: str
    path: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A batch of rows. `row_in_file` and `row_in_table` are those of its first row, counted from 0."""

    batch: pa.RecordBatch
    file: DataFile
    row_in_file: int
    row_in_table: int

    def place(self, index: int) -> str:
        """In words, where row `index` of the batch stands. People count rows from 1, a header left out."""
        return f"row {self.row_in_file + index + 1} of `{self.file.shown}`"


class Table:
    """The files of one source.

    Raises (all methods):
        Problems: a file that can't be read, or is not what its format says.
    """

    def __init__(self, source: Source, root: Path, spec_path: str) -> None:
        self.source = source
        self.spec_path = spec_path
        self.files = find_files(source, root, spec_path)

    @functools.cached_property
    def schemas(self) -> tuple[dict[str, pa.DataType], ...]:
        """One for each file: columns in order, with their Arrow types."""
        return tuple(self._schema(file) for file in self.files)

    def types(self, column: str) -> list[tuple[DataFile, pa.DataType]]:
        """The type of a column in each file."""
        return [(file, schema[column]) for file, schema in zip(self.files, self.schemas, strict=True)]

    def missing(self, uses: Sequence[ColumnUse]) -> Iterator[Diagnostic]:
        """A fault for each column that a file lacks."""
        for file, schema in zip(self.files, self.schemas, strict=True):
            absent = [use for use in uses if use.column not in schema]
            if absent and (fault := self._delimiter_fault(file)):
                help = f"set `{self.spec_path.removeprefix('spec.')}.delimiter` to that character"
                yield Diagnostic("data-delimiter-wrong", fault[0], help=help, path=f"{self.spec_path}.path")
                return
            yield from (_missing(use, file, tuple(schema)) for use in absent)
            if absent:
                return  # the next file most likely lacks the same

    def delimiter_fault(self) -> tuple[str, str] | None:
        """What is wrong where a file seems to use another delimiter than the source has, and that delimiter."""
        return next((fault for file in self.files if (fault := self._delimiter_fault(file))), None)

    @functools.cached_property
    def num_rows(self) -> int:
        """Rows of all files; text files are read to the end for it."""
        return sum(self._num_rows(file) for file in self.files)

    def rows(self, columns: Sequence[str]) -> Iterator[Rows]:
        """All rows in their order, file by file, with these columns."""
        row_in_table = 0
        for file in self.files:
            row_in_file = 0
            with _located(file):
                for batch in _READERS[file.format].batches(file, self.source, columns):
                    if batch.num_rows:
                        yield Rows(batch, file, row_in_file, row_in_table)
                    row_in_file += batch.num_rows
                    row_in_table += batch.num_rows

    def _schema(self, file: DataFile) -> dict[str, pa.DataType]:
        with _located(file):
            schema: dict[str, pa.DataType] = _READERS[file.format].schema(file, self.source)
            return schema

    def _num_rows(self, file: DataFile) -> int:
        with _located(file):
            return int(_READERS[file.format].num_rows(file, self.source))

    def _delimiter_fault(self, file: DataFile) -> tuple[str, str] | None:
        if file.format == "parquet" or self.source.delimiter is not None:
            return None
        with _located(file):
            delimiter = csv_files.likely_delimiter(file, self.source)
        if delimiter is None:
            return None
        words = csv_files.OTHER_DELIMITERS[delimiter]
        return f"`{file.shown}` has one column; {words} seems to stand between its values", delimiter


@contextmanager
def _located(file: DataFile) -> Iterator[None]:
    """Turns what the reading libraries raise into a fault that names the file.

    Only for code that touches the file: whatever a consumer of a generator raises does not pass through here.
    """
    try:
        yield
    except Problems:
        raise
    except UnicodeDecodeError as error:
        message = f"`{file.shown}` is not UTF-8: {error.reason}"
        raise file.problem("data-file-unreadable", message, "convert the file to UTF-8") from error
    except (OSError, pa.ArrowException, EOFError, zlib.error) as error:
        if file.format == "parquet":
            code, help = "data-parquet-broken", "write the file again; it may have been cut off while it was copied"
        else:
            code, help = "data-file-unreadable", "check that the file is complete, UTF-8, and has the format it claims"
        raise file.problem(code, f"`{file.shown}` can't be read: {first_line(error)}", help) from error


def _missing(use: ColumnUse, file: DataFile, names: tuple[str, ...]) -> Diagnostic:
    meant = nearest(use.column, names)
    shown = ", ".join(f"`{name}`" for name in names[:_MAX_NAMES_SHOWN])
    rest = f" and {len(names) - _MAX_NAMES_SHOWN} more" if len(names) > _MAX_NAMES_SHOWN else ""
    return Diagnostic(
        "data-column-missing",
        f"`{file.shown}` has no column `{use.column}`",
        help=f"did you mean `{meant}`?" if meant else "name one of the columns below",
        path=use.path,
        notes=(f"its columns are {shown}{rest}",),
    )
