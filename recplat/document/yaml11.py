"""What YAML 1.1 readers would make of a document differently.

kubectl, Argo CD and Flux read YAML 1.1, in which `no` is a boolean, `012` is ten, and `12:30:00` a number. The rules
are those of the YAML 1.1 type repository (https://yaml.org/type/). No reader keeps all of them: Go's, which those
three use, keep the ones for booleans and integers, PyYAML also those for floats, dates and base 60.
"""

from __future__ import annotations

import re
from contextlib import suppress

from recplat.diagnostics import Diagnostic, Fix
from recplat.document.faults import Faults, StopReading
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence, Value
from recplat.document.paths import join_path
from recplat.document.sets import SET_FILE
from recplat.document.structure_faults import edit

_BOOLEAN = re.compile(r"(?:y|Y|n|N|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF)")
_BASED = re.compile(r"[-+]?(?:0b[01_]+|0[0-7_]+|0x[0-9a-fA-F_]+|(?:0|[1-9][0-9_]*))")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?")
_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?"
)
_FIRST = frozenset("0123456789+-.yYnNoO")


def yaml11_differences(node: Node) -> list[Diagnostic]:
    """A warning for each unquoted value and key that YAML 1.1 reads as something else.

    What `--set` or a variable gave isn't looked at, since no such reader will see it.
    """
    search = _Search()
    with suppress(StopReading):
        search.look(node, ())
    return search.faults.found


def yaml11_reading(text: str, ours: Value) -> str | None:
    """What YAML 1.1 takes plain `text` for, when that differs from `ours`; None when both read it alike."""
    if text[:1] not in _FIRST:
        return None
    if isinstance(ours, str):
        return _not_a_string(text)
    if isinstance(ours, float) and not _FLOAT.fullmatch(text) and text.lower().lstrip("+-") not in (".inf", ".nan"):
        return "a string"
    if isinstance(ours, int) and not isinstance(ours, bool) and not _BASED.fullmatch(text):
        return "a string"
    return None


def _not_a_string(text: str) -> str | None:
    if _BOOLEAN.fullmatch(text):
        return "true" if text.lower() in {"y", "yes", "on"} else "false"
    if _TIMESTAMP.fullmatch(text):
        return "a date" if len(text) == 10 else "a point in time"
    if _SEXAGESIMAL.fullmatch(text):
        return "a number in base 60"
    if _BASED.fullmatch(text):
        return f"the number {_based(text)}"
    return "a number" if _FLOAT.fullmatch(text) else None


def _based(text: str) -> int:
    digits = text.replace("_", "").lower()
    sign, digits = (-1 if digits.startswith("-") else 1), digits.lstrip("+-")
    if digits.startswith(("0b", "0x")):
        return sign * int(digits[2:] or "0", 2 if digits[1] == "b" else 16)
    return sign * int(digits, 8 if digits.startswith("0") else 10)


class _Search:
    def __init__(self) -> None:
        self.faults = Faults()
        self._seen: set[int] = set()  # what aliases repeat is told once
        self._readings: dict[str, str | None] = {}

    def look(self, node: Node, path: tuple[str | int, ...]) -> None:
        if isinstance(node, Scalar):
            if node.plain and self._reading(node.text, node.value) and self._is_new(node):
                self.faults.add(_value_differs(node, self._readings[node.text] or "", path))
            return
        if not self._is_new(node):
            return
        if isinstance(node, Sequence):
            for index, item in enumerate(node.items):
                self.look(item, (*path, _name(item) or index))
            return
        for key, entry in node.entries.items():
            if entry.plain and self._reading(key, key) and self._is_new(entry):
                self.faults.add(_key_differs(entry, self._readings[key] or "", (*path, key)))
            self.look(entry.node, (*path, key))

    def _is_new(self, thing: Node | Entry) -> bool:
        """Whether this is the first time that the thing is met, in a file."""
        if id(thing) in self._seen or thing.location.file == SET_FILE:
            return False
        self._seen.add(id(thing))
        return True

    def _reading(self, text: str, ours: Value) -> str | None:
        if text not in self._readings:
            self._readings[text] = yaml11_reading(text, ours)
        return self._readings[text]


def _name(item: Node) -> str | None:
    name = item.get("name") if isinstance(item, Mapping) else None
    return str(name.value) if isinstance(name, Scalar) else None


def _key_differs(entry: Entry, reading: str, path: tuple[str | int, ...]) -> Diagnostic:
    quoted = f'"{entry.key}"'
    return Diagnostic(
        "yaml11-differs",
        f"key `{entry.key}` is a string here, but {reading} in YAML 1.1 {_readers(reading)}",
        help=f"write {quoted}",
        severity="warning",
        path=join_path(path),
        location=entry.location,
        fix=Fix(f"quote it: {quoted}", (edit(entry.location, quoted),)),
    )


def _value_differs(node: Scalar, reading: str, path: tuple[str | int, ...]) -> Diagnostic:
    if isinstance(node.value, str):
        ours, better, title = "a string", f'"{node.text}"', "quote it"
    else:
        ours, better, title = f"the number {node.value}", _for_both(node.value), "write it so that both agree"
    return Diagnostic(
        "yaml11-differs",
        f"`{node.text}` is {ours} here, but {reading} in YAML 1.1 {_readers(reading)}",
        help=f"write {better}" + ("" if isinstance(node.value, str) else f', or "{node.text}" if you mean text'),
        severity="warning",
        path=join_path(path),
        location=node.location,
        fix=Fix(f"{title}: {better}", (edit(node.location, better),)),
    )


def _readers(reading: str) -> str:
    everywhere = reading in ("true", "false") or reading.startswith("the number")
    return "(kubectl, Argo CD, Flux)" if everywhere else "(PyYAML)"


def _for_both(value: int | float | bool | None) -> str:
    """A number as both versions read it: a float needs a point, and a sign in its exponent."""
    text = repr(value)
    if isinstance(value, float) and "e" in text:
        digits, exponent = text.split("e")
        return f"{digits if '.' in digits else digits + '.0'}e{exponent if exponent[0] in '+-' else '+' + exponent}"
    return text
