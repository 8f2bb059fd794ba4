"""Finds `.inf` and `.nan`: no field means anything by them, and JSON can't hold them."""

import math
from collections.abc import Iterator

from recplat.document import Node, Scalar, Sequence
from recplat.spec.find import Step


def infinite_numbers(node: Node, steps: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The path of each number that is infinite, or none."""
    if isinstance(node, Scalar):
        if isinstance(node.value, float) and not math.isfinite(node.value):
            yield steps
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from infinite_numbers(item, (*steps, index))
    else:
        for key, entry in node.entries.items():
            yield from infinite_numbers(entry.node, (*steps, key))
