"""Finds places in a document by path, for diagnostics."""

from collections.abc import Iterable

from recplat.diagnostics import Location
from recplat.document import Mapping, Node, Scalar, Sequence, join_path

Step = str | int


def find(root: Node, steps: Iterable[Step]) -> tuple[Node, Location]:
    """The node at a path, or its nearest ancestor, and the span to point at.

    A step into a list is an index or, where its items have names, a name.
    """
    node, location = root, root.location
    for step in steps:
        if isinstance(node, Mapping) and step in node.entries:
            entry = node.entries[str(step)]
            node, location = entry.node, entry.place
        elif isinstance(node, Sequence) and (item := _item(node, step)) is not None:
            node = item
            location = _place_of(item)
        else:
            break
    return node, location


def path_of(root: Node, steps: Iterable[Step]) -> str:
    """A path as diagnostics write it: items of named lists by name, others by index."""
    node: Node | None = root
    words: list[Step] = []
    for step in steps:
        if isinstance(node, Sequence) and isinstance(step, int):
            item = _item(node, step)
            name = _name_of(item) if item is not None else None
            words.append(name if name is not None else step)
            node = item
        else:
            words.append(step)
            node = node.get(str(step)) if isinstance(node, Mapping) else None
    return join_path(words)


def _item(node: Sequence, step: Step) -> Node | None:
    if isinstance(step, int):
        return node.items[step] if step < len(node.items) else None
    return next((item for item in node.items if _name_of(item) == step), None)


def _place_of(item: Node) -> Location:
    """An item with a name is pointed at there: the item itself spans lines."""
    named = item.entries.get("name") if isinstance(item, Mapping) else None
    return item.location if named is None else named.node.location


def _name_of(node: Node) -> str | None:
    name = node.get("name") if isinstance(node, Mapping) else None
    return name.value if isinstance(name, Scalar) and isinstance(name.value, str) else None
