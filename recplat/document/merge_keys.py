"""`<<`: what a map takes over from others."""

from __future__ import annotations

from recplat.document.nodes import Entry, Mapping, Node, Sequence


def merged_entries(node: Node) -> dict[str, Entry] | None:
    """The entries that `<<: node` adds; of several maps the first that has a key gives it. None: not maps."""
    if isinstance(node, Mapping):
        return node.entries
    if not isinstance(node, Sequence):
        return None
    merged: dict[str, Entry] = {}
    for item in reversed(node.items):
        if not isinstance(item, Mapping):
            return None
        merged |= item.entries
    return merged
