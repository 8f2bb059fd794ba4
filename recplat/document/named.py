"""Lists of named things: items that are maps with a `name`."""

from __future__ import annotations

from recplat.diagnostics import Diagnostic
from recplat.document.faults import Faults
from recplat.document.limits import MAX_NODES
from recplat.document.measure import Measure
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence


def item_name(item: Node) -> str | None:
    """The name of one item; None if it has none, or not one that tells it apart."""
    name = item.get("name") if isinstance(item, Mapping) else None
    if not isinstance(name, Scalar) or name.value is None:
        return None
    return name.value if isinstance(name.value, str) else name.text


def item_names(node: Sequence) -> list[str] | None:
    """The names of all items in order; None unless every item has one."""
    names = [name for name in map(item_name, node.items) if name is not None]
    return names if len(names) == len(node.items) else None


def expand_names(node: Node, faults: Faults) -> Node:
    """Writes every list item with `name: [a, b]` out into one item each; they share all but the name.

    Raises:
        StopReading: so many names that the result could not be handled.
    """
    return _Expansion(faults).expand(node)


class _Expansion:
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._measure = Measure()
        self._num_added = 0
        # By id, so that what aliases share stays shared; the node is kept so that its id isn't given away.
        self._known: dict[int, tuple[Node, Node]] = {}

    def expand(self, node: Node) -> Node:
        if isinstance(node, Scalar):
            return node
        known = self._known.get(id(node))
        if known is None:
            expanded = self._list(node) if isinstance(node, Sequence) else self._map(node)
            known = self._known[id(node)] = (node, expanded)
        return known[1]

    def _map(self, node: Mapping) -> Node:
        changed: dict[str, Entry] = {}
        for key, entry in node.entries.items():
            expanded = self.expand(entry.node)
            if expanded is not entry.node:
                changed[key] = entry.with_node(expanded)
        return Mapping({**node.entries, **changed}, node.location) if changed else node

    def _list(self, node: Sequence) -> Node:
        items: list[Node] = []
        for item in node.items:
            items += self._copies(self.expand(item))
        same = len(items) == len(node.items) and all(a is b for a, b in zip(items, node.items, strict=True))
        return node if same else Sequence(items, node.location)

    def _copies(self, item: Node) -> list[Node]:
        name = item.entries.get("name") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or name is None or not isinstance(name.node, Sequence):
            return [item]
        names = name.node.items
        if not names:
            return [item]
        self._num_added += len(names) * (self._measure.size(item) - len(names))
        if self._num_added > MAX_NODES:
            raise self._faults.stop(_too_many(name, len(names)))
        return [Mapping({**item.entries, "name": name.with_node(one)}, item.location) for one in names]


def _too_many(name: Entry, num_names: int) -> Diagnostic:
    return Diagnostic(
        "names-too-many",
        f"with these {num_names} names the file stands for more than {MAX_NODES // 1000} thousand values",
        help="every name repeats all that its item holds: name fewer, or repeat less",
        location=name.location,
    )
