"""Paths as diagnostics and `--set` write them: `spec.features.user_id.dim`, `spec.model.top.0`.

A segment that holds a dot, a bracket, a quote or white space, or is empty, stands in double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_NEEDS_QUOTES = re.compile(r'[.\[\]"\\=\s]')
_SEGMENT = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*)"|\[(?P<index>[^\]]*)\]|(?P<bare>[^.\["]+)')


class Segment(NamedTuple):
    """One step of a path, and the columns start..end (from 0) at which it stands."""

    text: str
    start: int
    end: int


def join_path(segments: Iterable[str | int]) -> str:
    """One path out of keys, names of items, and indexes."""
    return ".".join(_quote(str(segment)) for segment in segments)


def split_path(path: str) -> tuple[Segment, ...]:
    """The segments of a path; `a[0]`, `a.0` and `a."0"` are the same.

    Raises:
        ValueError: empty segment, unclosed bracket or quote; the message says which.
    """
    segments: list[Segment] = []
    position = 0
    while True:
        found = _SEGMENT.match(path, position)
        if found is None:
            raise ValueError(f"a key is missing at column {position + 1} of `{path}`")
        segments.append(Segment(_text(found), found.start(), found.end()))
        position = found.end()
        if position == len(path):
            return tuple(segments)
        if path[position] == ".":
            position += 1
        elif path[position] != "[":
            raise ValueError(f"a `.` is missing at column {position + 1} of `{path}`")


def _text(found: re.Match[str]) -> str:
    quoted: str | None = found["quoted"]
    if quoted is not None:
        return re.sub(r"\\(.)", r"\1", quoted)
    bare: str | None = found["bare"]
    index: str = found["index"] or ""
    return index.strip() if bare is None else bare.strip()


def _quote(segment: str) -> str:
    if segment and not _NEEDS_QUOTES.search(segment):
        return segment
    return '"' + segment.replace("\\", "\\\\").replace('"', '\\"') + '"'
