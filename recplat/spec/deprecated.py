"""Fields under names that they had before: read as the new ones, with the edit that `recplat migrate` makes."""

from collections.abc import Iterable, Iterator

from recplat.diagnostics import Diagnostic, Edit, Fix, Location
from recplat.document import SET_FILE, Entry, Mapping, Node, Sequence
from recplat.spec.find import Step, path_of


def old_names(renamed: Iterable[tuple[Entry, str]], normal: Node) -> Iterator[Diagnostic]:
    """A warning about each key that has a new name by now.

    Args:
        renamed: the entries as they were written, and their new names.
        normal: the normal form, where they have those.
    """
    for entry, new in renamed:
        where = entry.location
        edit = Edit(where.file, where.line, where.column, where.end_line, where.end_column, new)
        steps = next(_steps_to(where, normal, ()), None)
        yield Diagnostic(
            "deprecated-field",
            f"`{entry.key}` is an older name of `{new}`",
            help=f"write `{new}`; `recplat migrate` does it, and keeps your comments",
            severity="warning",
            path=None if steps is None else path_of(normal, steps),
            location=where,
            fix=None if where.file == SET_FILE else Fix(f"rename `{entry.key}` to `{new}`", (edit,)),
        )


def _steps_to(key: Location, node: Node, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """The paths of the entries whose key stands there."""
    if isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from _steps_to(key, item, (*steps, index))
    elif isinstance(node, Mapping):
        for name, entry in node.entries.items():
            if entry.location == key:
                yield (*steps, name)
            yield from _steps_to(key, entry.node, (*steps, name))
