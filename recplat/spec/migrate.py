"""Brings a file to today's language: the version's name, then every field that has a new name. Comments stay."""

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from recplat.diagnostics import Diagnostic, Edit
from recplat.document import Mapping, Node, Scalar, load
from recplat.spec.load import check_job
from recplat.spec.types import API_VERSION
from recplat.spec.versions import OLD_VERSIONS

_BYTE_ORDER_MARK = "\ufeff"
_AFTER_LINE_BREAK = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


class Migration(Struct, frozen=True, kw_only=True):
    """What becomes of one file. `changes`: sentences, in file order; none where it is up to date."""

    text: str
    changes: tuple[str, ...]
    others: tuple[str, ...]  # files that it extends and that have old names too


def migrate(path: Path) -> Migration:
    """What the file would be in today's language; nothing is written.

    Faults of other kinds are left for `validate`.

    Raises:
        Problems: the file can't be read as YAML.
    """
    root = load(path).root
    with path.open(encoding="utf-8", newline="") as file:  # line ends stay as they are
        text, changes = _rename_version(root, file.read())
    # Beside the file, since what it extends is named relative to it.
    beside = path.with_name(f".{path.name}.migrating")
    try:
        beside.write_text(text, encoding="utf-8", newline="")
        found = [d for d in check_job(beside).diagnostics if d.code == "deprecated-field" and d.fix]
    finally:
        beside.unlink(missing_ok=True)
    mine = [d for d in found if d.location and Path(d.location.file).name == beside.name]
    others = {d.location.file for d in found if d not in mine and d.location}
    edits = [edit for diagnostic in mine if diagnostic.fix for edit in diagnostic.fix.edits]
    changes += [_sentence(diagnostic) for diagnostic in mine]
    return Migration(text=apply_edits(text, edits), changes=tuple(changes), others=tuple(sorted(others)))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with each span replaced; edits are of one file, within one line each, and don't overlap."""
    mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""  # not part of the columns
    lines = _AFTER_LINE_BREAK.split(text.removeprefix(mark))
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
        assert edit.line == edit.end_line, edit
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[: edit.column - 1] + edit.text + line[edit.end_column - 1 :]
    return mark + "".join(lines)


def _rename_version(root: Node, text: str) -> tuple[str, list[str]]:
    version = root.get("apiVersion") if isinstance(root, Mapping) else None
    if not isinstance(version, Scalar) or version.value not in OLD_VERSIONS:
        return text, []
    where = version.location
    edit = Edit(where.file, where.line, where.column, where.end_line, where.end_column, API_VERSION)
    return apply_edits(text, [edit]), [f"line {where.line}: apiVersion is now {API_VERSION}"]


def _sentence(diagnostic: Diagnostic) -> str:
    assert diagnostic.fix
    assert diagnostic.location
    return f"line {diagnostic.location.line}: {diagnostic.fix.title}"
