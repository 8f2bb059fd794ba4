"""`${VAR}` and `${VAR:-default}` in strings."""

from __future__ import annotations

import re
from collections.abc import Mapping as Map

from recplat.diagnostics import Diagnostic, Location, nearest
from recplat.document.faults import Faults
from recplat.document.named import item_name
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence, Substituted
from recplat.document.paths import join_path
from recplat.document.scalars import resolve

_VARIABLE = re.compile(
    r"\$\$\{|\$\{(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P<or_else>:-(?P<default>(?:(?!\$\{)[^}])*))?\})?"
)
_Path = tuple[str | int, ...]


def substitute(node: Node, env: Map[str, str], faults: Faults) -> Node:
    """The node with all variables replaced, once: what a variable holds isn't searched again.

    As in a shell, the default counts for an empty variable too. `$${` stands for `${`. A scalar without quotes that is
    one variable and nothing else gets the value that the text has without quotes: `rows: ${N}` is a number.

    Raises:
        StopReading: more faults than anyone reads.
    """
    return Substitution(env, faults).node(node, ())


class Substitution:
    """One pass over one document."""

    def __init__(self, env: Map[str, str], faults: Faults) -> None:
        self._env = env
        self._faults = faults
        self._known: dict[int, tuple[Node, Node]] = {}  # as in `expand_names`

    def node(self, node: Node, path: _Path) -> Node:
        if isinstance(node, Scalar):
            return self.scalar(node, path) if isinstance(node.value, str) and "${" in node.value else node
        known = self._known.get(id(node))
        if known is None:
            replaced = self._list(node, path) if isinstance(node, Sequence) else self._map(node, path)
            known = self._known[id(node)] = (node, replaced)
        return known[1]

    def _map(self, node: Mapping, path: _Path) -> Node:
        changed: dict[str, Entry] = {}
        for key, entry in node.entries.items():
            replaced = self.node(entry.node, (*path, key))
            if replaced is not entry.node:
                changed[key] = entry.with_node(replaced)
        return Mapping({**node.entries, **changed}, node.location) if changed else node

    def _list(self, node: Sequence, path: _Path) -> Node:
        items = [self.node(item, (*path, item_name(item) or index)) for index, item in enumerate(node.items)]
        same = all(new is old for new, old in zip(items, node.items, strict=True))
        return node if same else Sequence(items, node.location)

    def scalar(self, node: Scalar, path: _Path) -> Scalar:
        """The scalar with its text replaced; its place stays where the variable is named."""
        assert isinstance(node.value, str)
        text = _VARIABLE.sub(lambda found: self._value(found, node, path), node.value)
        whole = node.plain and _VARIABLE.fullmatch(node.value) and not node.value.startswith("$$")
        # Not plain any more, since the text isn't what stands in the file.
        return Substituted(_resolved(text) if whole else text, node.location, text, written=node.text)

    def _value(self, found: re.Match[str], node: Scalar, path: _Path) -> str:
        if found[0] == "$${":
            return "${"
        where = _place(node, found.start(), found.end())
        if found["name"] is None:
            self._faults.add(_malformed(where, join_path(path)))
            return ""
        value = self._env.get(found["name"])
        if found["or_else"] is not None:
            return value or str(found["default"])
        if value is None:
            self._faults.add(_unset(found["name"], nearest(found["name"], self._env), where, join_path(path)))
        return value or ""


def _resolved(text: str) -> str | int | float | bool | None:
    try:
        return resolve(text)
    except OverflowError:  # a number too long to be one
        return text


def _place(node: Scalar, start: int, end: int) -> Location:
    """The characters start..end of the scalar's text; the whole scalar where quotes or line breaks hide them."""
    where = node.location
    around = where.end_column - where.column - len(node.text)  # 2 for quotes
    if where.line != where.end_line or around not in (0, 2):
        return where
    column = where.column + around // 2
    return Location(where.file, where.line, column + start, where.line, column + end)


def _unset(name: str, likely: str | None, where: Location, path: str) -> Diagnostic:
    meant = f"did you mean `{likely}`, which is set? " if likely else ""
    return Diagnostic(
        "variable-unset",
        f"environment variable `{name}` is not set",
        help=f"{meant}set it (`export {name}=...`), or write `${{{name}:-default}}`",
        path=path or None,
        location=where,
    )


def _malformed(where: Location, path: str) -> Diagnostic:
    return Diagnostic(
        "variable-syntax",
        "`${` begins no variable that can be read",
        help="write `${NAME}` or `${NAME:-default}`, a name of letters, digits and `_`, the default without `${` and "
        "`}`; write `$${` for the characters themselves",
        path=path or None,
        location=where,
    )
