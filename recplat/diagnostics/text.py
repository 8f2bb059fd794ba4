"""Diagnostics for people, in the style of rustc."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from recplat.diagnostics.snippet import excerpt
from recplat.diagnostics.types import Diagnostic, Location, Severity

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_TONES: dict[str, str] = {"error": "1;31", "warning": "1;33", "note": "1;36", "frame": "34", "remedy": "32"}


def render_text(diagnostics: Iterable[Diagnostic], *, color: bool, read_source: Callable[[str], str | None]) -> str:
    """All diagnostics in the given order, and a line that counts them; "" for none.

    `read_source` gives the text of a file by the name used in `Location`, or None; it is asked once a file.
    """
    shown = list(diagnostics)
    if not shown:
        return ""
    page = _Page(color, read_source)
    return "\n\n".join([*(page.block(diagnostic) for diagnostic in shown), _summary(shown)])


class _Page:
    def __init__(self, color: bool, read_source: Callable[[str], str | None]) -> None:
        self._color = color
        self._read_source = read_source
        self._lines: dict[str, list[str]] = {}

    def block(self, diagnostic: Diagnostic) -> str:
        places = [diagnostic.location, *(related.location for related in diagnostic.related)]
        margin = " " * max((len(str(place.line)) for place in places if place is not None), default=1)
        tone = diagnostic.severity
        lines = [self._paint(f"{tone}[{diagnostic.code}]", tone) + f": {_safe(diagnostic.message)}"]
        lines += self._place(diagnostic, margin)
        for related in diagnostic.related:
            where = self._paint(f"{margin}:::", "frame")
            lines.append(f"{where} {_position(related.location)}  {_safe(related.message)}")
            lines += self._source(related.location, margin, "-", "frame")
        for note in diagnostic.notes:
            lines += _paragraph(f"{margin} {self._paint('=', 'frame')} ", f"{margin}   ", note)
        for label, text in (("help", diagnostic.help), ("fix", diagnostic.fix and diagnostic.fix.title)):
            if text:
                indent = " " * (len(margin) + len(label) + 3)
                lines += _paragraph(f"{margin} {self._paint(label, 'remedy')}: ", indent, text)
        return "\n".join(lines)

    def _place(self, diagnostic: Diagnostic, margin: str) -> list[str]:
        path = "" if diagnostic.path is None else _safe(diagnostic.path)
        arrow = self._paint(f"{margin}-->", "frame")
        if diagnostic.location is None:
            return [f"{arrow} {path}"] if path else []
        heading = f"{arrow} {_position(diagnostic.location)}  {path}".rstrip()
        return [heading, *self._source(diagnostic.location, margin, "^", diagnostic.severity)]

    def _source(self, location: Location, margin: str, mark: str, tone: str) -> list[str]:
        lines = self._lines_of(location.file)
        if not 1 <= location.line <= len(lines):
            return []
        line = lines[location.line - 1]
        end = location.end_column - 1 if location.end_line == location.line else len(line)
        shown = excerpt(line, location.column - 1, end)
        number = str(location.line).rjust(len(margin))
        return [
            self._paint(f"{margin} |", "frame"),
            f"{self._paint(f'{number} |', 'frame')} {shown.text}".rstrip(),
            f"{self._paint(f'{margin} |', 'frame')} {' ' * shown.offset}{self._paint(mark * shown.width, tone)}",
        ]

    def _lines_of(self, file: str) -> list[str]:
        if file not in self._lines:
            text = self._read_source(file)
            # Trimmed because a byte order mark isn't part of the columns.
            self._lines[file] = [] if text is None else _LINE_BREAK.split(text.removeprefix("\ufeff"))
        return self._lines[file]

    def _paint(self, text: str, tone: str) -> str:
        return f"\x1b[{_TONES[tone]}m{text}\x1b[0m" if self._color else text


def _position(location: Location) -> str:
    return f"{_safe(location.file)}:{location.line}:{location.column}"


def _paragraph(first: str, others: str, text: str) -> list[str]:
    lines = _safe(text).split("\n")
    return [first + lines[0], *((others + line).rstrip() for line in lines[1:])]


def _safe(text: str) -> str:
    """Text of the user's inside our own sentence: no escape sequences for the terminal, nothing unprintable."""
    if text.isprintable():
        return text
    return "".join(
        character if character == "\n" or character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def _summary(diagnostics: Sequence[Diagnostic]) -> str:
    severities: tuple[Severity, ...] = ("error", "warning", "note")
    counts = [(severity, sum(d.severity == severity for d in diagnostics)) for severity in severities]
    return ", ".join(f"{count} {severity}{'s' if count > 1 else ''}" for severity, count in counts if count)
