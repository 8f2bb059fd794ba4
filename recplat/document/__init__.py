"""YAML text to nodes that know their file, line and column.

Read `nodes.py` first, then `reader.py` and `loader.py`.
"""

from recplat.document.loader import Document, load
from recplat.document.named import item_name
from recplat.document.nodes import Entry, Mapping, Node, Plain, Scalar, Sequence, Substituted, Value, to_plain
from recplat.document.paths import Segment, join_path, split_path
from recplat.document.reader import parse, read
from recplat.document.sets import SET_FILE
from recplat.document.yaml11 import yaml11_differences

__all__ = [
    "SET_FILE",
    "Document",
    "Entry",
    "Mapping",
    "Node",
    "Plain",
    "Scalar",
    "Segment",
    "Sequence",
    "Substituted",
    "Value",
    "item_name",
    "join_path",
    "load",
    "parse",
    "read",
    "split_path",
    "to_plain",
    "yaml11_differences",
]
