"""The shape of a diagnostic, and the exception that carries several of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

Severity = Literal["error", "warning", "note"]


class Location(msgspec.Struct, frozen=True, gc=False):
    """A span of one file. Lines and columns count from 1, columns in characters; `end_column` is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Related(msgspec.Struct, frozen=True):
    """Another place that explains the fault, such as the first of two equal keys."""

    message: str
    location: Location


class Edit(msgspec.Struct, frozen=True):
    """Replace the span with `text`; counted as in `Location`."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fix(msgspec.Struct, frozen=True):
    """A remedy that is certain enough for a program to apply."""

    title: str
    edits: tuple[Edit, ...]


class _Sentence(msgspec.Struct, frozen=True):
    # A class of its own because msgspec makes either all or none of a class's fields keyword-only.
    code: str
    message: str


class Diagnostic(_Sentence, frozen=True, kw_only=True):
    """One fault of one input. `help` says what to do about it and may not be empty.

    `path` is the place in the document (`spec.features.user_id.dim`), `location` the place in the file.
    """

    help: str
    severity: Severity = "error"
    path: str | None = None
    location: Location | None = None
    related: tuple[Related, ...] = ()
    notes: tuple[str, ...] = ()
    fix: Fix | None = None

    def __post_init__(self) -> None:
        if not self.help.strip():
            raise ValueError(f"diagnostic `{self.code}` has no help: say what the person should do")


class Problems(ValueError):
    """A user's mistakes, all that could be found, in file order.

    `sources` holds the text of the files as far as the layer that raised had read them, so that carets can be
    shown even for what is on no disk, such as `--set`.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        self.diagnostics = in_file_order(diagnostics)
        self.sources: dict[str, str] = dict(sources or {})
        assert self.diagnostics, "Problems without a diagnostic"
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        from recplat.diagnostics.text import render_text  # here because text.py imports this module

        return render_text(self.diagnostics, color=False, read_source=lambda file: None)


def in_file_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By file in order of first appearance, then line and column; those without a place last; equal ones once."""
    unique = list(dict.fromkeys(diagnostics))
    rank: dict[str, int] = {}
    for diagnostic in unique:
        if diagnostic.location is not None:
            rank.setdefault(diagnostic.location.file, len(rank))

    def place(diagnostic: Diagnostic) -> tuple[int, int, int]:
        where = diagnostic.location
        return (len(rank), 0, 0) if where is None else (rank[where.file], where.line, where.column)

    return tuple(sorted(unique, key=place))
