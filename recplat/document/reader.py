"""YAML text to nodes."""

from __future__ import annotations

import os
import re
from typing import Any

import yaml

from recplat.diagnostics import Diagnostic, Problems
from recplat.document import structure_faults as fault
from recplat.document.builder import Builder
from recplat.document.collector import collector_paused
from recplat.document.faults import Faults, StopReading
from recplat.document.files import decode, place_of, read_text
from recplat.document.nodes import Node, Scalar

# The C parser is ten times faster; a PyYAML built without it still reads everything.
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Each `%TAG` line is compared with all before it, so a file of them would take minutes.
_TAG_DIRECTIVE = re.compile(r"^%TAG\b", re.MULTILINE)


def read(path: str | os.PathLike[str]) -> Node:
    """The nodes of a YAML file; locations name it as `path` does.

    Raises:
        Problems: everything that is wrong with the file or its YAML, and its text as a source.
    """
    file = os.fspath(path)
    return parse(read_text(file), file)


def parse(content: str | bytes, file: str) -> Node:
    """The nodes of YAML text; `file` is its name in locations.

    Raises:
        Problems: as for `read`.
    """
    text = decode(content, file)
    faults = Faults()
    builder = Builder(file, faults)
    try:
        _refuse_directives(text, file, faults)
        with collector_paused():
            builder.take_all(_PARSER(text).get_event)
        if builder.root is None or _is_nothing(builder.root):
            faults.add(fault.empty_file(file))
    except StopReading:
        pass
    except yaml.MarkedYAMLError as error:
        from recplat.document.syntax import syntax_fault  # only text that is no YAML waits for it

        faults.found.append(syntax_fault(error, text, file))
    if faults.found:
        raise Problems(faults.found, {file: text})
    assert builder.root is not None
    return builder.root


def _is_nothing(root: Node) -> bool:
    return isinstance(root, Scalar) and root.plain and root.text == ""


def _refuse_directives(text: str, file: str, faults: Faults) -> None:
    found = _TAG_DIRECTIVE.search(text)
    if found:
        raise faults.stop(
            Diagnostic(
                "yaml-tag",
                "tags, and so `%TAG`, aren't allowed",
                help="delete the line; a spec holds only text, numbers, booleans, lists and maps",
                location=place_of(text, file, found.start()),
            )
        )
