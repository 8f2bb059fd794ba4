"""One document over another."""

from __future__ import annotations

from recplat.document.named import item_name, item_names
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence

#: Keys that say which options a map takes; the spec language uses no others for that.
_TAGS = ("type", "by")


def merge(base: Node, over: Node) -> Node:
    """`over` on top of `base`; every value keeps the place it came from.

    Maps merge, unless they are two kinds of thing: a model of another `type` keeps none of the old one's options. Null
    removes a key that `base` has. Lists whose items all have names merge by name, in the order of
    `base`, then what is new. Everything else is replaced. Names must be written out before (`expand_names`).
    """
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        return over if is_other_thing(base, over) else _maps(base, over)
    if isinstance(base, Sequence) and isinstance(over, Sequence):
        base_names, over_names = item_names(base), item_names(over)
        if base_names and over_names:
            return _named(base, base_names, over)
    return over


def is_other_thing(base: Mapping, over: Mapping) -> bool:
    """Whether `over` names another `type` (or `by`) than `base`, so that the options of `base` say nothing about it."""
    for tag in _TAGS:
        old, new = base.get(tag), over.get(tag)
        if isinstance(old, Scalar) and isinstance(new, Scalar) and old.value != new.value:
            return new.value is not None
    return False


def _maps(base: Mapping, over: Mapping) -> Mapping:
    entries = dict(base.entries)
    for key, entry in over.entries.items():
        below = entries.get(key)
        if below is None:
            # Also a null: with nothing to remove it is probably misspelt, and must be seen to be refused.
            entries[key] = entry
        elif is_null(entry.node):
            del entries[key]
        else:
            entries[key] = _entry(below, entry)
    return Mapping(entries, over.location)


def _entry(base: Entry, over: Entry) -> Entry:
    merged = merge(base.node, over.node)
    return over if merged is over.node else over.with_node(merged)


def _named(base: Sequence, base_names: list[str], over: Sequence) -> Sequence:
    items = list(base.items)
    # A name that one file gives twice stays twice: saying so is for those who know what the list means.
    free = {name: index for index, name in reversed(list(enumerate(base_names)))}
    for item in over.items:
        index = free.pop(item_name(item) or "", None)
        if index is None:
            items.append(item)
        else:
            items[index] = merge(items[index], item)
    return Sequence(items, over.location)


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None
