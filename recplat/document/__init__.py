"""YAML text to nodes that know their file, line and column.

Read `nodes.py` first, then `parse.py` and `load.py`.
"""

from recplat.document.nodes import Entry, Mapping, Node, Plain, Scalar, Sequence, Value, to_plain
from recplat.document.parse import parse, read

__all__ = ["Entry", "Mapping", "Node", "Plain", "Scalar", "Sequence", "Value", "parse", "read", "to_plain"]
