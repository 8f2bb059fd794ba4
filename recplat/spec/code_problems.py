"""Models and other catalog folders of the author's own that a spec uses and that could not be run."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from recplat.catalog.code_files import what_is_missing
from recplat.diagnostics import Diagnostic
from recplat.lang.kinds import Kind
from recplat.spec.catalogs import OwnFolder, with_authors_paths
from recplat.spec.find import Step
from recplat.spec.rules import Context


def code_problems(context: Context, folders: tuple[OwnFolder, ...]) -> Iterator[Diagnostic]:
    """One for each folder, where it is used first."""
    if not context.catalog.has_own_folders():
        return
    told: set[tuple[str, str]] = set()
    for options, steps in _used(context.spec, ()):
        kind, name = type(options).__module__.split(".")[-3:-1]
        folder = context.catalog.own_folder(kind, name)
        if (kind, name) in told or folder is None:
            continue
        told.add((kind, name))
        if message := what_is_missing(folder, kind, options):
            yield context.problem(
                "catalog-unusable",
                (*steps, "type"),
                f"`{name}` can't be run: {with_authors_paths(message, folders)[1]}",
                help="write it, like that of the folders of `recplat/catalog`"
                if "fails to load" not in message
                else "repair the file",
            )


def _used(value: Any, steps: tuple[Step, ...]) -> Iterator[tuple[Kind, tuple[Step, ...]]]:
    """Options of catalog folders, in the spec and in one another."""
    if isinstance(value, Kind):
        yield value, steps
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _used(getattr(value, name), (*steps, name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _used(item, (*steps, key))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _used(item, (*steps, index))
