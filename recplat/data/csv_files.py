"""CSV and TSV files. Every value is read as text; an empty one is null. What it means is the feature's to say."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from recplat.data.files import DataFile, refuse_twice
from recplat.diagnostics import Problems
from recplat.spec.types import Source

_BLOCK_BYTES = 8 << 20
_MAX_SHOWN = 120
OTHER_DELIMITERS = {";": "`;`", "\t": "a tab", "|": "`|`", ",": "a comma"}


def schema(file: DataFile, source: Source) -> dict[str, pa.DataType]:
    """The columns in their order, all of type string."""
    names = column_names(file, source)
    if not names:
        message = f"`{file.shown}` begins with an empty line, so its columns have no names"
        raise file.problem("data-file-empty", message, "write data into it, or remove the empty line")
    refuse_twice(names, file, "name each column once, or say `header: false` if the first line holds values")
    return dict.fromkeys(names, pa.string())


def column_names(file: DataFile, source: Source) -> list[str]:
    if not source.header and source.column_names:
        return list(source.column_names)
    first = _first_row(file, source)
    return first if source.header else [f"column_{index}" for index in range(len(first))]


def batches(file: DataFile, source: Source, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The rows in their order, with these columns.

    Raises:
        Problems: a row has more or fewer values than there are columns, or a quote is not closed.
    """
    names = column_names(file, source)
    read = [*dict.fromkeys((*columns, names[-1]))]
    malformed: list[Any] = []

    def refuse(row: Any) -> str:
        malformed.append(row)
        return "error"

    reader_options = pacsv.ReadOptions(
        use_threads=False,  # else a malformed row has no number
        block_size=_BLOCK_BYTES,
        column_names=names,
        skip_rows=0,
        skip_rows_after_names=1 if source.header else 0,
    )
    parse_options = pacsv.ParseOptions(
        delimiter=_delimiter(file, source),
        quote_char='"' if _quoting(file) == csv.QUOTE_MINIMAL else False,
        newlines_in_values=_quoting(file) == csv.QUOTE_MINIMAL,
        invalid_row_handler=refuse,
    )
    convert_options = pacsv.ConvertOptions(
        column_types=dict.fromkeys(read, pa.string()),
        include_columns=read,
        null_values=[""],
        strings_can_be_null=True,
    )
    try:
        with file.open() as stream, pacsv.open_csv(stream, reader_options, parse_options, convert_options) as reader:
            last: str | None = None
            for batch in reader:
                last = batch.column(names[-1])[-1].as_py() if batch.num_rows else last
                yield batch.select(list(columns))
        if last is not None and "\n" in last and not _ends_with_quote(file):
            raise _not_closed(file, last)
    except pa.ArrowInvalid:
        if malformed:
            raise _malformed(file, source, malformed[0]) from None
        raise


def num_rows(file: DataFile, source: Source) -> int:
    """Rows, found by reading the whole file."""
    first = column_names(file, source)[:1]
    return sum(batch.num_rows for batch in batches(file, source, first))


def likely_delimiter(file: DataFile, source: Source) -> str | None:
    """The character that seems to divide the columns where the one that is used finds only one; its words are in
    `OTHER_DELIMITERS`."""
    first = _first_row(file, source)
    if len(first) != 1:
        return None
    counts = {character: first[0].count(character) for character in OTHER_DELIMITERS}
    best = max(counts, key=lambda character: counts[character])
    return best if counts[best] else None


def _first_row(file: DataFile, source: Source) -> list[str]:
    with file.open() as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        return next(csv.reader(text, delimiter=_delimiter(file, source), quoting=_quoting(file)), [])


def _delimiter(file: DataFile, source: Source) -> str:
    found = source.delimiter or ("\t" if file.format == "tsv" else ",")
    if len(found) != 1 or not found.isascii() or found in '"\r\n':
        help = "name one ASCII character, neither a quote nor a line end, such as `;` or `|`"
        raise file.problem("data-delimiter-wrong", f"{found!r} can't stand between values", help)
    return found


def _quoting(file: DataFile) -> Any:
    # TSV knows no quotes: a lone `"` in a title must not swallow the rows behind it.
    return csv.QUOTE_NONE if file.format == "tsv" else csv.QUOTE_MINIMAL


def _ends_with_quote(file: DataFile) -> bool:
    """Whether the file's last character, line ends left out, is a quote."""
    end = b""
    with file.open() as stream:
        while piece := stream.read(_BLOCK_BYTES):
            end = (end + piece).rstrip(b"\r\n")[-1:] or end
    return end == b'"'


def _not_closed(file: DataFile, value: str) -> Problems:
    """A quote that opens in the last column and takes all lines behind it for one value."""
    num_lines = len(value.rstrip("\r\n").splitlines())
    return file.problem(
        "data-row-malformed",
        f"a quote in `{file.shown}` is never closed: all {num_lines} lines from it to the end are one value",
        'close the quote, or write a `"` that is meant as such twice and in quotes: `"5"" disk"`',
        f"the line: {value.splitlines()[0][:_MAX_SHOWN]}",
    )


def _malformed(file: DataFile, source: Source, row: Any) -> Problems:
    line = f", line {row.number}" if row.number is not None else ""
    text = row.text if len(row.text) <= _MAX_SHOWN else f"{row.text[:_MAX_SHOWN]}…"
    return file.problem(
        "data-row-malformed",
        f"a row of `{file.shown}`{line} has {row.actual_columns} values for {row.expected_columns} columns",
        f"correct the row, put values that hold a `{_delimiter(file, source)}` in quotes, or set `delimiter`",
        f"the row: {text}",
    )
