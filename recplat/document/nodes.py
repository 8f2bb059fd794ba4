"""What a YAML file consists of: nodes that know their file, line and column.

Nodes are never changed once built, because an alias makes one node stand in several places.
"""

from __future__ import annotations

from typing import TypeAlias

from recplat.diagnostics import Location

Value: TypeAlias = str | int | float | bool | None
Plain: TypeAlias = Value | list["Plain"] | dict[str, "Plain"]


class Scalar:
    """One value. `text` is what the file says; `plain` tells that it stands there without quotes or a tag."""

    __slots__ = ("location", "plain", "text", "value")

    def __init__(self, value: Value, location: Location, text: str, plain: bool) -> None:
        self.value = value
        self.location = location
        self.text = text
        self.plain = plain

    def __repr__(self) -> str:
        return f"Scalar({self.value!r})"


class Substituted(Scalar):
    """A value with variables in it, replaced; `written` is what the file says."""

    __slots__ = ("written",)

    def __init__(self, value: Value, location: Location, text: str, written: str) -> None:
        super().__init__(value, location, text, plain=False)
        self.written = written


class Sequence:
    """A list."""

    __slots__ = ("items", "location")

    def __init__(self, items: list[Node], location: Location) -> None:
        self.items = items
        self.location = location

    def __repr__(self) -> str:
        return f"Sequence({self.items!r})"


class Entry:
    """One key of a map with its value. `location` is the key's; `plain` tells that the key has no quotes."""

    __slots__ = ("key", "location", "node", "plain")

    def __init__(self, key: str, location: Location, node: Node, plain: bool = True) -> None:
        self.key = key
        self.location = location
        self.node = node
        self.plain = plain

    def with_node(self, node: Node) -> Entry:
        """The same key with another value."""
        return Entry(self.key, self.location, node, self.plain)

    @property
    def place(self) -> Location:
        """Where to point when the value is at fault: at its key for a map or list on lines of its own."""
        where = self.node.location
        beside_key = where.end_line == self.location.line
        return where if beside_key or isinstance(self.node, Scalar) else self.location

    def __repr__(self) -> str:
        return repr(self.node)


class Mapping:
    """A map. Its keys are strings."""

    __slots__ = ("entries", "location")

    def __init__(self, entries: dict[str, Entry], location: Location) -> None:
        self.entries = entries
        self.location = location

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return None if entry is None else entry.node

    def __repr__(self) -> str:
        return f"Mapping({self.entries!r})"


Node: TypeAlias = Scalar | Sequence | Mapping


def to_plain(node: Node) -> Plain:
    """The bare values: dicts, lists, strings, numbers, booleans and None."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [to_plain(item) for item in node.items]
    return {key: to_plain(entry.node) for key, entry in node.entries.items()}
