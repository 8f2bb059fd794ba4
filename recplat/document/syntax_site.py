"""Where a YAML syntax error was noticed, and the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from recplat.diagnostics import Diagnostic, Fix, Location, Related
from recplat.document.structure_faults import edit

# Looking for causes stays fast on a file of one endless line, or of endless blank lines.
_MAX_CHARACTERS = 4096
_MAX_LINES = 10_000


@dataclass(frozen=True)
class Site:
    """The parser's own words and marks; lines and columns count from 0."""

    file: str
    lines: list[str]
    problem: str
    context: str
    line: int
    column: int
    opened_line: int  # where the thing began that couldn't be read; the same place if the parser doesn't say
    opened_column: int

    @property
    def text(self) -> str:
        return self.line_text(self.line)

    @property
    def before(self) -> str:
        return self.text[: self.column]

    @property
    def character(self) -> str:
        """The character at fault; empty at the end of a line."""
        return self.text[self.column : self.column + 1]

    @property
    def begins_line(self) -> bool:
        return not self.before.strip()

    @property
    def at_end(self) -> bool:
        return not any(line.strip() for line in self.lines[self.line : self.line + _MAX_LINES])

    def line_text(self, line: int) -> str:
        return self.lines[line][:_MAX_CHARACTERS] if line < len(self.lines) else ""

    def above(self) -> Iterator[int]:
        """The lines above that say something, nearest first."""
        start = min(self.line, len(self.lines)) - 1
        for line in range(start, max(-1, start - _MAX_LINES), -1):
            if self.line_text(line).strip() and not self.line_text(line).lstrip().startswith("#"):
                yield line

    def previous(self) -> int | None:
        """The nearest line above that says something."""
        return next(self.above(), None)

    def location(self, line: int, start: int, end: int | None = None) -> Location:
        """Characters start..end of a line; to its end when `end` isn't given."""
        last = len(self.line_text(line).rstrip()) if end is None else end
        return Location(self.file, line + 1, start + 1, line + 1, max(last, start + 1) + 1)

    def here(self) -> Location:
        return self.location(self.line, self.column, self.column + 1)

    def opened(self) -> Location:
        return self.location(self.opened_line, self.opened_column, self.opened_column + 1)


def site_of(error: yaml.MarkedYAMLError, text: str, file: str) -> Site:
    """The place of the parser's error."""
    mark = error.problem_mark or error.context_mark
    opened = error.context_mark or mark
    assert mark is not None
    assert opened is not None
    return Site(
        file=file,
        lines=text.splitlines(),  # of YAML's printable characters only LF and CR break lines
        problem=error.problem or "",
        context=error.context or "",
        line=mark.line,
        column=mark.column,
        opened_line=opened.line,
        opened_column=opened.column,
    )


def fault(
    code: str, message: str, location: Location, help: str, *related: Related, fix: Fix | None = None
) -> Diagnostic:
    return Diagnostic(code, message, help=help, location=location, related=related, fix=fix)


def needs_quotes(site: Site, line: int, start: int, message: str) -> Diagnostic:
    """The value that begins at `start` only reads as text when quoted."""
    value = re.split(r"\s#", site.line_text(line)[start:], maxsplit=1)[0].rstrip()
    quoted = f"'{value}'" if '"' in value or "\\" in value else f'"{value}"'
    location = site.location(line, start, start + len(value))
    # Inside brackets nobody can tell where the value was meant to end, nor around quotes that are there already.
    certain = not re.search(r"[\[{]", site.line_text(line)[:start]) and not re.search(r"['\"]", value)
    certain = certain and len(site.line_text(line)) < _MAX_CHARACTERS
    fix = Fix(f"quote it: {quoted}", (edit(location, quoted),)) if certain else None
    shown = f": {quoted}" if len(quoted) < 100 else ""
    return fault("yaml-needs-quotes", message, location, f"put the whole value in quotes{shown}", fix=fix)
