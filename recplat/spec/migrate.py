"""Brings a spec and the files that it extends to today's language, as edits of their text: comments and layout stay.

older version -> its edits -> fields that have new names -> faults
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from recplat.diagnostics import Diagnostic, Edit, Location, Problems, in_file_order
from recplat.document import Mapping as MappingNode
from recplat.document import Node, Scalar, Sequence, Substituted, load, parse
from recplat.spec.load import Checked, check_job
from recplat.spec.migrations import v1alpha0
from recplat.spec.text_edits import TextEdits
from recplat.spec.types import API_VERSION
from recplat.spec.versions import OLD_VERSIONS

#: Older versions, each with the edits that lead from it to the next.
_STEPS = {v1alpha0.VERSION: v1alpha0.rewrite}
assert tuple(_STEPS) == OLD_VERSIONS


class Migration(Struct, frozen=True, kw_only=True):
    """What becomes of one file."""

    file: str  # as the spec, or the file that extends it, names it
    path: Path
    before: str
    after: str

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


def migrate(spec: str | Path) -> tuple[Migration, ...]:
    """What the spec and all files that it extends would be in today's language; nothing is written.

    Variables of the environment stay as they are written, and need not be set: what one holds is no matter here.

    Raises:
        Problems: a file can't be read, must be changed by hand first, or is at fault in today's language.
    """
    document = load(spec, env=_ANY_VARIABLES)
    before = {Path(file): _read(Path(file)) for file in document.files}
    names = {path: _shown(path, document.sources) for path in before}
    after = _to_this_version(document.root, before, names)
    checked = check_job(spec, env=_ANY_VARIABLES, texts=_resolved(after))
    after = _with_new_names(after, checked)
    _refuse_faults(spec, _resolved(after))
    return tuple(
        Migration(file=names[path], path=path, before=text, after=after[path]) for path, text in before.items()
    )


def write(migration: Migration) -> None:
    """Put the new text in the file's place, all at once: whoever reads it gets the old one or the new one."""
    real = migration.path.resolve()
    beside = real.with_name(f".{real.name}.migrating")
    try:
        beside.write_text(migration.after, encoding="utf-8", newline="")
        beside.chmod(real.stat().st_mode)
        beside.replace(real)
    finally:
        beside.unlink(missing_ok=True)


def _to_this_version(root: Node, texts: Mapping[Path, str], names: Mapping[Path, str]) -> dict[Path, str]:
    """The texts with the edits of every step from the version that the merged document has."""
    version = _version(root)
    if version not in _STEPS:
        return dict(texts)
    found: list[Diagnostic] = []
    result: dict[Path, str] = {}
    for path, text in texts.items():
        edits = TextEdits(text)
        own = parse(text, names[path])
        found += _STEPS[version](own, edits)
        scalar = own.get("apiVersion") if isinstance(own, MappingNode) else None
        if isinstance(scalar, Scalar) and scalar.value == version:
            edits.set_value(scalar, API_VERSION)
        result[path] = edits.result
    if found:
        raise Problems(in_file_order(found), {names[path]: text for path, text in texts.items()})
    return result


def _refuse_faults(spec: str | Path, texts: Mapping[Path, str]) -> None:
    """
    Raises:
        Problems: what is wrong with the new texts, except for values that variables give.
    """
    checked = check_job(spec, env=_ANY_VARIABLES, texts=texts)
    if checked.loaded is not None:
        return
    unknown = set(_variables(load(spec, env=_ANY_VARIABLES, texts=texts).root))
    known = [found for found in checked.diagnostics if found.location not in unknown]
    if any(found.severity == "error" for found in known):
        raise Problems(known, checked.sources)


def _variables(node: Node) -> Iterator[Location]:
    """Where variables stand."""
    if isinstance(node, Substituted):
        yield node.location
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _variables(item)
    elif isinstance(node, MappingNode):
        for entry in node.entries.values():
            yield from _variables(entry.node)


def _with_new_names(texts: Mapping[Path, str], checked: Checked) -> dict[Path, str]:
    """The texts with the fixes of fields that have a new name."""
    edits = [
        edit
        for diagnostic in checked.diagnostics
        if diagnostic.code == "deprecated-field" and diagnostic.fix
        for edit in diagnostic.fix.edits
    ]
    return {path: apply_edits(text, _of(edits, path)) for path, text in texts.items()}


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with each span replaced; edits don't overlap."""
    changed = TextEdits(text)
    changed.apply(edits)
    return changed.result


def _of(edits: Iterable[Edit], path: Path) -> list[Edit]:
    return [edit for edit in edits if Path(edit.file).resolve() == path.resolve()]


def _version(root: Node) -> object:
    scalar = root.get("apiVersion") if isinstance(root, MappingNode) else None
    return scalar.value if isinstance(scalar, Scalar) else None


def _shown(path: Path, sources: Mapping[str, str]) -> str:
    """The name that diagnostics have for the file."""
    return next((name for name in sources if Path(name).absolute() == path), str(path))


def _resolved(texts: Mapping[Path, str]) -> dict[Path, str]:
    return {path.resolve(): text for path, text in texts.items()}


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:  # line ends stay as they are
        return file.read()


class _AnyVariables(dict[str, str]):
    """The environment, with a text for every variable that is not set: none that a number or a choice could be."""

    def get(self, key: str, default: object = None) -> str:
        return os.environ.get(key, key)


_ANY_VARIABLES = _AnyVariables()
