"""Finds places in a document by path, for diagnostics."""

from collections.abc import Iterable, Iterator

from recplat.diagnostics import Location
from recplat.document import Mapping, Node, Scalar, Sequence, join_path
from recplat.spec.make_nodes import BareMapping, BareSequence

Step = str | int


def find(root: Node, steps: Iterable[Step]) -> tuple[Node, Location]:
    """The node at a path, or its nearest ancestor, and the span to point at.

    A step into a list is an index or, where its items have names, a name.
    """
    node, location = root, root.location
    for step in steps:
        if isinstance(node, BareSequence) and node.items and _item(node, step) is None:
            node = node.items[0]  # the path leaves out what the author's shorthand spared
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
    """A path as diagnostics write it: items of named lists by name, others by index.

    Steps that the author's shorthand spares are left out: `transform`, not `transform.0.type`.
    """
    return join_path(step for step, is_spared in _named(root, steps) if not is_spared)


def named_steps(root: Node, steps: Iterable[Step]) -> tuple[Step, ...]:
    """The same path with names for indexes, which move when items are left out."""
    return tuple(step for step, _ in _named(root, steps))


def _named(root: Node, steps: Iterable[Step]) -> Iterator[tuple[Step, bool]]:
    """Each step by name, where there is one, and whether the author spared it."""
    node: Node | None = root
    for step in steps:
        if isinstance(node, Sequence):
            item = _item(node, step)
            yield (item and _name_of(item)) or step, isinstance(node, BareSequence)
            node = item
        else:
            inner = node.get(str(step)) if isinstance(node, Mapping) else None
            yield step, isinstance(node, BareMapping) and inner is not None
            node = inner


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
