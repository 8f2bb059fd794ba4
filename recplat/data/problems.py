"""Faults that lie in the data, with file, row and the place in the spec that asks for the value."""

from recplat.catalog.values import BadValue, UnfitType
from recplat.data.files import DataFile
from recplat.data.table import Rows
from recplat.diagnostics import Diagnostic


def row_problem(bad: BadValue, rows: Rows, what: str, path: str, *, row: int | None = None) -> Diagnostic:
    """A value that is refused.

    Args:
        what: who reads it, such as "feature `age`".
        row: index in the batch, where it isn't `bad.index`.
    """
    place = rows.place(bad.index if row is None else row)
    return Diagnostic(bad.code, f"{what}, {place}: {bad.message}", help=bad.help, path=path)


def type_problem(unfit: UnfitType, column: str, file: DataFile, path: str) -> Diagnostic:
    """A column whose type can't be read."""
    message = f"column `{column}` of `{file.shown}` {unfit.message}"
    return Diagnostic("data-column-type", message, help=unfit.help, path=path)
