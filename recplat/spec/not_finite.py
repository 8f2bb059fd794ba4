"""Refuses `.inf` and `.nan`: no field means anything by them, and JSON can't hold them."""

import math
from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.document import Mapping, Node, Scalar, Sequence


def infinite_numbers(node: Node) -> Iterator[Diagnostic]:
    if isinstance(node, Scalar):
        if isinstance(node.value, float) and not math.isfinite(node.value):
            yield Diagnostic(
                "not-finite",
                f"`{node.text}` is no finite number",
                help="write a number; to leave a field at its default, remove it",
                location=node.location,
            )
        return
    children = node.items if isinstance(node, Sequence) else [entry.node for entry in node.entries.values()]
    assert isinstance(node, Sequence | Mapping)
    for child in children:
        yield from infinite_numbers(child)
