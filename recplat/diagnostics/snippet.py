"""One line of a file as a terminal can show it, and where in it a span lies, counted in terminal cells."""

from __future__ import annotations

from typing import NamedTuple

_TAB = "    "
_CUT = "..."
_MAX_CHARACTERS = 100
# They turn the reading direction, so that what a terminal shows isn't what the file says.
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Excerpt(NamedTuple):
    """`text` to show, with `width` cells to mark after the first `offset`."""

    text: str
    offset: int
    width: int


def excerpt(line: str, start: int, end: int) -> Excerpt:
    """The part of `line` around its characters start..end (from 0, end exclusive), which may lie outside of it."""
    start = max(0, min(start, len(line)))
    end = max(start, min(end, len(line)))
    left, right = _window(len(line), start, end)
    end = min(end, right)
    before, marked, after = (_cells(line[left:start]), _cells(line[start:end]), _cells(line[end:right]))
    head, tail = _CUT if left else "", _CUT if right < len(line) else ""
    return Excerpt(head + before + marked + after + tail, len(head) + _width(before), max(1, _width(marked)))


def _window(length: int, start: int, end: int) -> tuple[int, int]:
    if length <= _MAX_CHARACTERS:
        return 0, length
    margin = max(_MAX_CHARACTERS // 4, (_MAX_CHARACTERS - (end - start)) // 2)
    left = max(0, min(start - margin, length - _MAX_CHARACTERS))
    return left, min(length, left + _MAX_CHARACTERS)


def _cells(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(_cell(character) for character in text)


def _cell(character: str) -> str:
    if character == "\t":
        return _TAB
    if character < " ":
        return chr(0x2400 + ord(character))  # the picture of the control character
    import unicodedata

    if character in _BIDI or unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}:
        return "\ufffd"  # the replacement character
    return character


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    import unicodedata

    width = 0
    for character in text:
        if unicodedata.category(character) not in {"Mn", "Me", "Cf"}:
            width += 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
    return width
