"""What a spec could say of someone's data, guessed from its first rows; the author corrects it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from recplat.cli.templates.spec_text import Features, Outline
from recplat.data.table import Table
from recplat.diagnostics import Diagnostic, Problems, nearest
from recplat.spec.paths import to_normal
from recplat.spec.types import Source

SAMPLE_ROWS = 20_000

Use = Literal["key", "keys", "number", "time", "none"]

_LABELS = ("label", "target", "click", "clicked", "is_click", "conversion", "converted", "like", "liked", "rating", "y")
_TIMES = ("time", "timestamp", "ts", "date", "datetime", "event_time", "created_at")
_SEPARATORS = ("|", ";", ",")
#: An integer column with more distinct values than this is a number, unless its name says that it is a key.
_MAX_CODES = 50


class Column(Struct, frozen=True, kw_only=True):
    """One column as its first rows show it."""

    name: str
    use: Use
    num_distinct: int
    separator: str | None = None
    minimum: float | None = None
    maximum: float | None = None

    @property
    def is_binary(self) -> bool:
        return self.use in ("number", "key") and self.num_distinct == 2 and (self.minimum, self.maximum) == (0.0, 1.0)


def outline_of_data(path: str, label: str | None, *, directory: Path, root: Path) -> Outline:
    """A proposal for the file, glob or URL `path`, which is relative to the working folder.

    Args:
        label: the column to predict; guessed by its name where None.
        directory: of the spec, which its own path is relative to.
    Raises:
        Problems: the file can't be read, or no column offers itself as label.
    """
    source = Source(path=to_normal(path, directory=Path.cwd(), root=root))
    columns = look(Table(source, root, "spec.data.source"))
    chosen = _label(columns, label)
    rest = [column for column in columns if column is not chosen]
    time = next((column.name for column in rest if column.use == "time"), None)
    keys = tuple(column.name for column in rest if column.use == "key")
    lists = [column for column in rest if column.use == "keys"]
    separator = lists[0].separator if lists else None
    return Outline(
        path=_relative(path, directory),
        label=chosen.name,
        positive=None if chosen.is_binary else _positive(chosen),
        time=time,
        features=Features(
            keys=keys,
            key_lists=tuple(column.name for column in lists if column.separator == separator),
            separator=separator,
            numbers=tuple(column.name for column in rest if column.use == "number"),
        ),
    )


def look(table: Table) -> tuple[Column, ...]:
    """Every column, judged by the first `SAMPLE_ROWS` rows."""
    names = list(table.schemas[0])
    batches = []
    num_rows = 0
    for rows in table.rows(names):
        batches.append(rows.batch)
        num_rows += rows.batch.num_rows
        if num_rows >= SAMPLE_ROWS:
            break
    if not batches:
        message = f"`{table.files[0].shown}` has no rows"
        raise Problems([Diagnostic("data-file-empty", message, help="write data into it, or name another file")])
    sample = pa.Table.from_batches(batches).slice(0, SAMPLE_ROWS)
    return tuple(_column(name, sample.column(name)) for name in names)


def _column(name: str, values: Any) -> Column:
    if pa.types.is_list(values.type) or pa.types.is_large_list(values.type):
        return Column(name=name, use="keys", num_distinct=0)
    if pa.types.is_temporal(values.type):
        return Column(name=name, use="time", num_distinct=values.length())
    values = values.drop_null()
    num_distinct = len(values.unique())
    numbers = _numbers(values)
    if numbers is None:
        return _text_column(name, values, num_distinct)
    if len(numbers) == 0:
        return Column(name=name, use="none", num_distinct=0)
    bounds = pc.min_max(numbers).as_py()
    return Column(
        name=name,
        use=_number_use(name, numbers, num_distinct),
        num_distinct=num_distinct,
        minimum=float(bounds["min"]),
        maximum=float(bounds["max"]),
    )


def _numbers(values: Any) -> Any | None:
    """The values as numbers, None where they aren't; text counts if all of it reads as numbers."""
    if pa.types.is_boolean(values.type):
        return values.cast(pa.int8())
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        return values
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return None
    for kind in (pa.int64(), pa.float64()):
        try:
            return values.cast(kind)
        except pa.ArrowInvalid:
            continue
    return None


def _text_column(name: str, values: Any, num_distinct: int) -> Column:
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return Column(name=name, use="none", num_distinct=num_distinct)
    separator = next((s for s in _SEPARATORS if _divides(values, s)), None)
    if separator:
        return Column(name=name, use="keys", num_distinct=num_distinct, separator=separator)
    # A text of its own in nearly every row, such as a title, tells a model nothing about the next row.
    is_unique = len(values) > 100 and num_distinct > 0.9 * len(values) and not _is_key_name(name)
    return Column(name=name, use="none" if is_unique else "key", num_distinct=num_distinct)


def _divides(values: Any, separator: str) -> bool:
    """Whether texts look like lists: the separator in many of them, and far fewer parts than texts."""
    share = pc.mean(pc.match_substring(values, separator)).as_py() if len(values) else None
    if not share or share < 0.2:
        return False
    parts = pc.split_pattern(values, separator)
    return len(pc.list_flatten(parts).unique()) < 0.2 * len(values)


def _number_use(name: str, numbers: Any, num_distinct: int) -> Use:
    if name.lower() in _TIMES:
        return "time"
    if pa.types.is_floating(numbers.type):
        return "number"
    return "key" if _is_key_name(name) else "number" if num_distinct > _MAX_CODES or num_distinct == 2 else "key"


def _is_key_name(name: str) -> bool:
    lower = name.lower()
    return lower in {"id", "user", "item", "zip", "zip_code", "code"} or lower.endswith(("id", "_code", "_key"))


def _label(columns: Iterable[Column], wanted: str | None) -> Column:
    by_name = {column.name: column for column in columns}
    if wanted is not None and wanted in by_name:
        return by_name[wanted]
    if wanted is None:
        for name in (*_LABELS, *(column.name for column in by_name.values() if column.is_binary)):
            found = next((column for column in by_name.values() if column.name.lower() == name.lower()), None)
            if found and found.use in ("number", "key"):
                return found
    meant = nearest(wanted, by_name) if wanted else None
    names = ", ".join(f"`{name}`" for name in list(by_name)[:30])
    message = f"the data has no column `{wanted}`" if wanted else "no column of the data offers itself as label"
    help = f"did you mean `--label {meant}`?" if meant else "say which column to predict: `--label COLUMN`"
    raise Problems([Diagnostic("label-not-found", message, help=help, notes=(f"its columns are {names}",))])


def _positive(label: Column) -> str:
    """A condition that calls about the upper half of the label's range positive."""
    low, high = label.minimum or 0.0, label.maximum or 1.0
    middle = (low + high) / 2
    return f">= {int(middle) + 1}" if high - low >= 2 else f"> {middle:g}"


def _relative(path: str, directory: Path) -> str:
    import os

    from recplat.spec.paths import is_url

    if is_url(path) or Path(path).is_absolute():
        return path
    return Path(os.path.relpath(path, directory)).as_posix()
