"""What Kubernetes tools would make of a document differently.

kubectl, Argo CD and Flux read YAML with Go's `sigs.k8s.io/yaml`, which keeps YAML 1.1's booleans and integers: `no` is
false, `012` is ten. Of the rest of YAML 1.1, which PyYAML keeps, it has nothing: dates and `12:30:00` are texts, and
`1e-3` is a number, as they are here.
"""

from __future__ import annotations

import re
from contextlib import suppress
from math import isfinite

from recplat.diagnostics import Diagnostic, Fix, Location
from recplat.document.faults import Faults, StopReading
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from recplat.document.paths import join_path
from recplat.document.scalars import MAX_NUMBER_CHARACTERS
from recplat.document.sets import SET_FILE
from recplat.document.structure_faults import edit

_BOOLEAN = re.compile(r"(?:y|Y|n|N|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF)")
_BASES = {"b": 2, "o": 8, "x": 16}
_BASED = re.compile(r"([-+]?)0(?:([bB])([01]+)|([oO]?)([0-7]+)|([xX])([0-9a-fA-F]+))")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_FIRST = frozenset("0123456789+-.yYnNoO")


def yaml11_differences(node: Node) -> list[Diagnostic]:
    """A warning for each unquoted value and key that Kubernetes tools read as something else.

    What `--set` or a variable gave isn't looked at, since no such reader will see it.
    """
    search = _Search()
    with suppress(StopReading):
        search.look(node, ())
    return search.faults.found


def yaml11_reading(text: str) -> str | None:
    """What Kubernetes tools take plain `text` for, which is a string here; None when it is one to them too."""
    if text[:1] not in _FIRST or len(text) > MAX_NUMBER_CHARACTERS:
        return None
    if _BOOLEAN.fullmatch(text):
        return "true" if text.lower() in {"y", "yes", "on"} else "false"
    digits = text if text.startswith((".", "_")) else text.replace("_", "")
    if found := _BASED.fullmatch(digits):
        sign, *parts = found.groups()
        base, number = next((base, number) for base, number in zip(parts[::2], parts[1::2], strict=True) if number)
        return f"the number {sign if sign == '-' else ''}{int(number, _BASES[base.lower() or 'o'])}"
    if _INTEGER.fullmatch(digits):
        return f"the number {int(digits)}"
    # Of a number beyond the largest one they make a text.
    is_number = _FLOAT.fullmatch(digits) and isfinite(float(digits))
    return f"the number {float(digits):g}" if is_number else None


class _Search:
    def __init__(self) -> None:
        self.faults = Faults()
        self._seen: set[int] = set()  # what aliases repeat is told once
        self._readings: dict[str, str | None] = {}

    def look(self, node: Node, path: tuple[str | int, ...]) -> None:
        if isinstance(node, Scalar):
            is_text = node.plain and isinstance(node.value, str)
            if is_text and (reading := self._reading(node.text)) and self._is_new(node):
                self.faults.add(_value_differs(node, reading, path))
            return
        if not self._is_new(node):
            return
        if isinstance(node, Sequence):
            for index, item in enumerate(node.items):
                self.look(item, (*path, _name(item) or index))
            return
        for key, entry in node.entries.items():
            if entry.plain and (reading := self._reading(key)) and self._is_new(entry):
                self.faults.add(_key_differs(entry, reading, (*path, key)))
            self.look(entry.node, (*path, key))

    def _is_new(self, thing: Node | Entry) -> bool:
        """Whether this is the first time that the thing is met, in a file."""
        if id(thing) in self._seen or thing.location.file == SET_FILE:
            return False
        self._seen.add(id(thing))
        return True

    def _reading(self, text: str) -> str | None:
        if text not in self._readings:
            self._readings[text] = yaml11_reading(text)
        return self._readings[text]


def _name(item: Node) -> str | None:
    name = item.get("name") if isinstance(item, Mapping) else None
    return str(name.value) if isinstance(name, Scalar) else None


def _key_differs(entry: Entry, reading: str, path: tuple[str | int, ...]) -> Diagnostic:
    return _differs(f"key `{entry.key}`", entry.key, reading, path, entry.location)


def _value_differs(node: Scalar, reading: str, path: tuple[str | int, ...]) -> Diagnostic:
    return _differs(f"`{node.text}`", node.text, reading, path, node.location)


def _differs(what: str, text: str, reading: str, path: tuple[str | int, ...], location: Location) -> Diagnostic:
    quoted = f'"{text}"'
    return Diagnostic(
        "yaml11-differs",
        f"{what} is a string here, but {reading} to kubectl, Argo CD and Flux",
        help=f"write {quoted}",
        severity="warning",
        path=join_path(path),
        location=location,
        fix=Fix(f"quote it: {quoted}", (edit(location, quoted),)),
    )
