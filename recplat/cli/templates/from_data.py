"""What a spec could say of someone's data: the first proposal, which its author corrects."""

from __future__ import annotations

import os
from pathlib import Path

from recplat.cli.templates.spec_text import Features, Outline
from recplat.data.inspecting import ColumnReport, Inspection, inspect_source
from recplat.data.proposal import is_number, is_time, label_of, no_feature
from recplat.data.table import Progress
from recplat.diagnostics import Diagnostic, Problems, nearest
from recplat.spec.paths import is_url
from recplat.spec.types import Source

_SEPARATORS = ("|", ";")


def outline_of_data(path: str, label: str | None, *, directory: Path, progress: Progress | None = None) -> Outline:
    """A proposal for the file, glob or URL `path`, which is relative to the working folder; all rows are read.

    Args:
        label: the column to predict; None: the one that its name or its values make plain.
        directory: of the spec, which its own path is relative to.
    Raises:
        Problems: the data can't be read, or no column offers itself as label.
    """
    root = Path.cwd()
    source = Source(path=path if is_url(path) else str(root / path))
    inspection = inspect_source(source, root, progress=progress)
    chosen = _label(inspection, label)
    rest = [column for column in inspection.columns if column is not chosen]
    useful = [c for c in rest if no_feature(c, inspection.num_rows, is_label=False) is None]
    separators = {column.name: _separator(column) for column in useful}
    separator = next(filter(None, separators.values()), _SEPARATORS[0])
    divided = tuple(name for name, between in separators.items() if between == separator)
    lists = tuple(column.name for column in useful if column.kind.startswith("list"))
    numbers = tuple(column.name for column in useful if is_number(column))
    return Outline(
        path=_relative(path, directory),
        label=chosen.name,
        positive=None if _is_zero_or_one(chosen) else _positive(chosen),
        time=next((column.name for column in rest if is_time(column)), None),
        num_rows=inspection.num_rows,
        features=Features(
            keys=tuple(column.name for column in useful if column.name not in {*divided, *lists, *numbers}),
            key_lists=lists,
            divided=divided,
            separator=separator,
            numbers=numbers,
        ),
    )


def _label(inspection: Inspection, wanted: str | None) -> ColumnReport:
    by_name = {column.name: column for column in inspection.columns}
    if wanted is None:
        found = label_of(inspection) or next(filter(_is_zero_or_one, inspection.columns), None)
    else:
        found = by_name.get(wanted)
    if found is not None:
        return found
    meant = nearest(wanted, by_name) if wanted else None
    message = f"the data has no column `{wanted}`" if wanted else "no column of the data offers itself as label"
    help = f"did you mean `--label {meant}`?" if meant else "say which column to predict: `--label COLUMN`"
    names = ", ".join(f"`{name}`" for name in list(by_name)[:30])
    raise Problems([Diagnostic("label-not-found", message, help=help, notes=(f"its columns are {names}",))])


def _is_zero_or_one(column: ColumnReport) -> bool:
    is_bound = (column.min, column.max) == (0.0, 1.0) and column.num_distinct == 2
    return column.kind == "boolean" or (column.kind in ("whole number", "number") and is_bound)


def _positive(label: ColumnReport) -> str:
    """A condition that makes the upper part of a label's range positive, or its first example where it is no number."""
    if label.min is None or label.max is None:
        return f"in [{label.examples[0]}]" if label.examples else "> 0"
    middle = (label.min + label.max) / 2
    return f">= {int(middle) + 1}" if label.kind == "whole number" else f"> {middle:g}"


def _separator(column: ColumnReport) -> str | None:
    """What divides the column's texts, where it stands in most of the examples."""
    if column.kind != "text" or not column.examples:
        return None
    return next((s for s in _SEPARATORS if 2 * sum(s in t for t in column.examples) >= len(column.examples)), None)


def _relative(path: str, directory: Path) -> str:
    if is_url(path) or Path(path).is_absolute():
        return path
    return Path(os.path.relpath(path, directory)).as_posix()
