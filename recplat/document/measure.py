"""How large a node is once every alias is written out."""

from __future__ import annotations

from recplat.document.nodes import Mapping, Node, Scalar, Sequence


class Measure:
    """Sizes and heights of nodes. Remembers shared ones, so that a chain of aliases costs its length, not its size."""

    def __init__(self) -> None:
        # The node is kept next to its measure so that its id isn't given to another one.
        self._known: dict[int, tuple[Node, int, int]] = {}

    def size(self, node: Node) -> int:
        """Nodes written out, counting this one."""
        return self._measure(node)[0]

    def height(self, node: Node) -> int:
        """Maps and lists within each other: 0 for a scalar."""
        return self._measure(node)[1]

    def _measure(self, node: Node) -> tuple[int, int]:
        if isinstance(node, Scalar):
            return 1, 0
        known = self._known.get(id(node))
        if known is None:
            inner = [self._measure(child) for child in _children(node)]
            size, height = 1 + sum(size for size, _ in inner), 1 + max((height for _, height in inner), default=0)
            known = self._known[id(node)] = (node, size, height)
        return known[1:]


def _children(node: Mapping | Sequence) -> list[Node]:
    return node.items if isinstance(node, Sequence) else [entry.node for entry in node.entries.values()]
