"""Changes of a YAML file's text at the places of its nodes, so that all else in it stays as it is."""

import re
from collections.abc import Iterable

from recplat.diagnostics import Edit, Location
from recplat.document import Entry, Mapping, Node, Scalar

_BYTE_ORDER_MARK = "\ufeff"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


class TextEdits:
    """Gathers replacements of spans; `result` is the text with all of them. Spans don't overlap."""

    def __init__(self, text: str) -> None:
        # A byte order mark is not part of the columns.
        self._mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
        self.text = text.removeprefix(_BYTE_ORDER_MARK)
        self._line_starts = [0, *(found.end() for found in _LINE_BREAK.finditer(self.text))]
        # By span: what aliases repeat is changed once.
        self._replaced: dict[tuple[int, int], str] = {}

    def replace(self, start: int, end: int, text: str) -> None:
        self._replaced[start, end] = text

    def apply(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            self.replace(self.at(edit.line, edit.column), self.at(edit.end_line, edit.end_column), edit.text)

    def rename(self, entry: Entry, name: str) -> None:
        """Another key, in quotes where the old one stood in them."""
        start, end = self.span(entry.location)
        quote = self.text[start] if self.text[start] in "\"'" else ""
        self.replace(start, end, f"{quote}{name}{quote}")

    def set_value(self, node: Scalar, text: str) -> None:
        self.replace(*self.span(node.location), text)

    def add_beside(self, entry: Entry, parent: Mapping, text: str) -> None:
        """Another `key: value` behind an entry of one line."""
        end = self.span(entry.node.location)[1]
        if self.is_flow(parent):
            self.replace(end, end, f", {text}")
            return
        line_end = _LINE_BREAK.search(self.text, end)
        at = line_end.start() if line_end else len(self.text)
        indent = " " * (entry.location.column - 1)
        self.replace(at, at, f"{self.line_break}{indent}{text}")

    def is_flow(self, node: Node) -> bool:
        """Whether the map stands in braces."""
        return self.text[self.span(node.location)[0]] == "{"

    def span(self, location: Location) -> tuple[int, int]:
        return self.at(location.line, location.column), self.at(location.end_line, location.end_column)

    def at(self, line: int, column: int) -> int:
        return self._line_starts[line - 1] + column - 1

    def line_start(self, line: int) -> int:
        return self._line_starts[line - 1]

    @property
    def line_break(self) -> str:
        found = _LINE_BREAK.search(self.text)
        return found[0] if found else "\n"

    @property
    def result(self) -> str:
        text = self.text
        for (start, end), replacement in sorted(self._replaced.items(), reverse=True):
            text = text[:start] + replacement + text[end:]
        return self._mark + text
