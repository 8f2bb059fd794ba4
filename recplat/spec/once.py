"""Tells each fault once: a line with `name: [a, b]` stands for several items, each of which has it."""

from collections.abc import Iterable, Iterator

import msgspec

from recplat.diagnostics import Diagnostic, Location
from recplat.document import split_path

_MAX_NAMED = 3


def told_once(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The first of those that stand at one place and say one thing, with a note on the others.

    How YAML 1.1 would read a value that is an error anyway is left out.
    """
    groups: dict[object, list[Diagnostic]] = {}
    errors: set[Location] = set()
    for diagnostic in diagnostics:
        groups.setdefault(_key(diagnostic), []).append(diagnostic)
        if diagnostic.severity == "error" and diagnostic.location is not None:
            errors.add(diagnostic.location)
    for first, *others in groups.values():
        if first.code == "yaml11-differs" and first.location in errors:
            continue
        names = list(dict.fromkeys(_difference(first.path or "", other.path or "") for other in others))
        yield msgspec.structs.replace(first, notes=(*first.notes, _note(names))) if names else first


def _key(diagnostic: Diagnostic) -> object:
    if diagnostic.location is None or not diagnostic.path:
        return diagnostic
    return diagnostic.code, diagnostic.location, split_path(diagnostic.path)[-1].text


def _difference(path: str, other: str) -> str:
    """The item that the other path is about."""
    for mine, theirs in zip(split_path(path), split_path(other), strict=False):
        if mine.text != theirs.text:
            return theirs.text
    return other


def _note(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_MAX_NAMED])
    rest = len(names) - _MAX_NAMED
    return f"the same holds for {shown}" + (f" and {rest:,} more" if rest > 0 else "")
