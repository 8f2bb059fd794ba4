"""Nodes that no file holds: what silence or a shorthand means, standing where it was meant."""

from typing import Any

from recplat.document import Entry, Mapping, Node, Scalar, Sequence


class BareMapping(Mapping):
    """A map whose author wrote one of its values alone: `zscore` for `{type: zscore}`."""

    __slots__ = ()


class BareSequence(Sequence):
    """A list whose author wrote its one item alone."""

    __slots__ = ()


def scalar_at(value: str | int | float | bool | None, at: Node) -> Scalar:
    return Scalar(value, at.location, str(value), True)


def entry_of(key: str, node: Node, *, at: Node | None = None) -> Entry:
    return Entry(key, (at or node).location, node)


def from_plain(value: Any, at: Node) -> Node:
    if isinstance(value, dict):
        entries = {key: entry_of(key, from_plain(item, at), at=at) for key, item in value.items()}
        return Mapping(entries, at.location)
    if isinstance(value, list):
        return Sequence([from_plain(item, at) for item in value], at.location)
    return scalar_at(value, at)


def with_entries(node: Mapping, entries: dict[str, Entry]) -> Mapping:
    """The same map with other entries."""
    return type(node)(entries, node.location)


def with_items(node: Sequence, items: list[Node]) -> Sequence:
    """The same list with other items."""
    return type(node)(items, node.location)
