"""Diagnostics for programs: a JSON list of flat objects."""

from __future__ import annotations

import json
from collections.abc import Iterable

from recplat.diagnostics.types import Diagnostic, Fix, Location, Related

_Json = str | int | None | list["_Json"] | dict[str, "_Json"]


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list, one object a diagnostic, null where something isn't known. Pure ASCII, for any terminal."""
    return json.dumps([_diagnostic(diagnostic) for diagnostic in diagnostics], indent=2, allow_nan=False)


def _diagnostic(diagnostic: Diagnostic) -> _Json:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": _text(diagnostic.message),
        "help": _text(diagnostic.help),
        "path": None if diagnostic.path is None else _text(diagnostic.path),
        **_place(diagnostic.location),
        "related": [_related(related) for related in diagnostic.related],
        "notes": [_text(note) for note in diagnostic.notes],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _related(related: Related) -> _Json:
    return {"message": _text(related.message), **_place(related.location)}


def _fix(fix: Fix) -> _Json:
    edits: list[_Json] = []
    for edit in fix.edits:
        place = Location(edit.file, edit.line, edit.column, edit.end_line, edit.end_column)
        edits.append({**_place(place), "text": _text(edit.text)})
    return {"title": _text(fix.title), "edits": edits}


def _place(location: Location | None) -> dict[str, _Json]:
    if location is None:
        return dict.fromkeys(("file", "line", "column", "end_line", "end_column"))
    return {
        "file": _text(location.file),
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
    }


def _text(text: str) -> str:
    # File names that aren't UTF-8 reach us as lone surrogates, which strict JSON readers refuse.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
