"""What a spec could say of someone's data."""

from __future__ import annotations

import os
from pathlib import Path

from recplat.cli.templates.spec_text import Outline
from recplat.data.inspecting import ColumnReport, Inspection, inspect_source
from recplat.data.proposal import LeftOut, ProposedLabel, label_of, may_be_label, propose, proposed_label
from recplat.data.table import Progress
from recplat.diagnostics import Diagnostic, Problems, nearest
from recplat.spec.paths import is_url
from recplat.spec.types import Source

_MAX_NAMES_SHOWN = 30


def outline_of_data(
    path: str,
    label: str | None,
    *,
    directory: Path,
    delimiter: str | None = None,
    header: bool = True,
    progress: Progress | None = None,
) -> Outline:
    """A proposal for the file, glob or URL `path`, which is relative to the working folder; all rows are read.

    Args:
        label: the column to predict; None: the one that its name or its values make plain.
        directory: of the spec, which its own path is relative to.
    Raises:
        Problems: the data can't be read, or no column offers itself as label.
    """
    root = Path.cwd()
    place = path if is_url(path) else str(root / path)
    source = Source(path=place, delimiter=delimiter, header=header)
    inspection = inspect_source(source, root, progress=progress)
    column = _label_column(inspection, label)
    proposal = propose(inspection, column)
    return Outline(
        path=_relative(path, directory),
        delimiter=delimiter,
        column_names=() if header else tuple(column.name for column in inspection.columns),
        label=_label(column),
        time=proposal.time,
        num_rows=inspection.num_rows,
        features=proposal.features,
        left_out=tuple(c for c in proposal.columns if isinstance(c, LeftOut) and c.column != column.name),
    )


def _label_column(inspection: Inspection, wanted: str | None) -> ColumnReport:
    by_name = {column.name: column for column in inspection.columns}
    found = label_of(inspection) if wanted is None else by_name.get(wanted)
    if found is not None:
        return found
    meant = nearest(wanted, by_name) if wanted else next(filter(may_be_label, inspection.columns), None)
    message = f"the data has no column `{wanted}`" if wanted else "no column of the data offers itself as label"
    help = "say which column to predict: `--label COLUMN`"
    if meant is not None:
        help = f"did you mean `--label {meant if isinstance(meant, str) else meant.name}`?"
    names = ", ".join(f"`{name}`" for name in list(by_name)[:_MAX_NAMES_SHOWN])
    raise Problems([Diagnostic("label-not-found", message, help=help, notes=(f"its columns are {names}",))])


def _label(column: ColumnReport) -> ProposedLabel:
    """
    Raises:
        Problems: nothing tells which of the column's values are positive.
    """
    label = proposed_label(column)
    if label is None:
        distinct = f"{column.num_distinct:,} different values" if column.num_distinct else f"{column.kind}"
        message = f"column `{column.name}` holds {distinct}: which are positive can't be guessed"
        help = (
            "choose a column of few values with `--label`, or write `label` with its `positive` into the spec yourself"
        )
        raise Problems([Diagnostic("label-unclear", message, help=help)])
    return label


def _relative(path: str, directory: Path) -> str:
    if is_url(path) or Path(path).is_absolute():
        return path
    return Path(os.path.relpath(path, directory)).as_posix()
