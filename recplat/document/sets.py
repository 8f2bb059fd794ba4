"""`--set PATH=VALUE`: reading and applying it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from recplat.diagnostics import Diagnostic, Location, Problems, nearest
from recplat.document.faults import Faults
from recplat.document.limits import MAX_DEPTH
from recplat.document.merge import is_null, is_other_thing
from recplat.document.named import expand_names, item_name, item_names
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from recplat.document.paths import join_path, split_path
from recplat.document.reader import parse
from recplat.document.scalars import resolve

SET_FILE = "--set"  # the file name in locations; its lines are the texts that were given

_ASSIGNMENT = re.compile(r'((?:"(?:[^"\\]|\\.)*"|[^="])+)=(.*)', re.DOTALL)
_EXAMPLE = "write `--set spec.train.batch_size=4096`"


class Step(NamedTuple):
    """One segment of the path and its place in the text."""

    text: str
    location: Location


class Setting(NamedTuple):
    steps: tuple[Step, ...]
    value: Node


def read_settings(texts: Iterable[str], faults: Faults) -> list[Setting]:
    """All `--set` texts in order.

    A value that begins with a bracket or quote is YAML; any other is taken as it stands, without spaces around it, so
    that `positive=>= 4` needs no quotes, and means what it means in YAML without quotes.
    """
    settings: list[Setting] = []
    line = 1
    for text in texts:
        try:
            settings.append(_setting(text, line, faults))
        except ValueError as error:
            # Problems is a ValueError too, and comes from the value's own YAML.
            whole = Location(SET_FILE, line, 1, line, len(text) + 1)
            for fault in error.diagnostics if isinstance(error, Problems) else [_syntax(str(error), whole)]:
                faults.add(fault)
        line += 1 + text.count("\n")
    return settings


def apply_setting(root: Mapping, setting: Setting, faults: Faults) -> Mapping:
    """The document with one value replaced, or removed by null. Only maps on the way are new."""
    try:
        changed = _assign(root, setting.steps, setting.value, ())
    except Problems as problems:
        for fault in problems.diagnostics:
            faults.add(fault)
        return root
    assert isinstance(changed, Mapping)
    return changed


def _setting(text: str, line: int, faults: Faults) -> Setting:
    assignment = _ASSIGNMENT.fullmatch(text)
    if assignment is None:
        raise ValueError(f"`{text}` isn't of the form PATH=VALUE")
    segments = split_path(assignment[1])
    if len(segments) > MAX_DEPTH:
        raise ValueError(f"a path of {len(segments)} keys; {MAX_DEPTH} is the most")
    steps = tuple(
        Step(segment.text, Location(SET_FILE, line, segment.start + 1, line, segment.end + 1)) for segment in segments
    )
    return Setting(steps, expand_names(_value(assignment[2], line, assignment.start(2)), faults))


def _value(text: str, line: int, column: int) -> Node:
    stripped = text.strip()
    if stripped.startswith(("[", "{", '"', "'")):
        # The lines and spaces in front give the nodes their places in the text.
        return parse("\n" * (line - 1) + " " * column + text, SET_FILE)
    start = column + len(text) - len(text.lstrip())
    location = Location(SET_FILE, line, start + 1, line, start + len(stripped) + 1)
    try:
        value = resolve(stripped)
    except OverflowError:
        raise ValueError("the number is too long; put it in quotes if it is an identifier") from None
    return Scalar(value, location, stripped, plain=True)


def _assign(node: Node | None, steps: tuple[Step, ...], value: Node, done: tuple[Step, ...]) -> Node:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if node is None or is_null(node):
        node = Mapping({}, step.location)
    if isinstance(node, Scalar):
        raise Problems([_inside_scalar(node, step, done)])
    if isinstance(node, Sequence):
        return _assign_item(node, _index(node, step, done), steps, value, done)
    entries = dict(node.entries)
    below = entries.get(step.text)
    if below is not None and not rest and is_null(value):
        del entries[step.text]
    elif below is not None and rest:
        entries[step.text] = below.with_node(_assign(below.node, rest, value, (*done, step)))
    else:
        entries[step.text] = Entry(step.text, step.location, _assign(None, rest, value, (*done, step)))
    changed = Mapping(entries, node.location)
    return _without_old_options(changed, step.text) if is_other_thing(node, changed) else changed


def _without_old_options(node: Mapping, tag: str) -> Mapping:
    """A map that has just become another kind of thing: of the old one only the name stays."""
    return Mapping({key: entry for key, entry in node.entries.items() if key in (tag, "name")}, node.location)


def _assign_item(node: Sequence, index: int, steps: tuple[Step, ...], value: Node, done: tuple[Step, ...]) -> Node:
    items = list(node.items)
    if len(steps) == 1 and is_null(value):
        del items[index]
    else:
        items[index] = _assign(items[index], steps[1:], value, (*done, steps[0]))
    return Sequence(items, node.location)


def _index(node: Sequence, step: Step, done: tuple[Step, ...]) -> int:
    names = [item_name(item) for item in node.items]
    if step.text in names:
        return names.index(step.text)
    if step.text.isascii() and step.text.isdigit() and len(step.text) < 9 and int(step.text) < len(names):
        return int(step.text)
    raise Problems([_no_item(node, step, done)])


def _syntax(message: str, location: Location) -> Diagnostic:
    return Diagnostic("set-syntax", message, help=_EXAMPLE, location=location)


def _inside_scalar(node: Scalar, step: Step, done: tuple[Step, ...]) -> Diagnostic:
    path = join_path(part.text for part in done)
    return Diagnostic(
        "set-path",
        f"`{path}` is the value `{node.text[:40]}`, so there is no `{step.text}` in it",
        help=f"set `{path}` itself, or check the path",
        path=path,
        location=step.location,
    )


def _no_item(node: Sequence, step: Step, done: tuple[Step, ...]) -> Diagnostic:
    path = join_path(part.text for part in done)
    names = item_names(node)
    likely = nearest(step.text, names) if names else None
    if likely:
        help = f"did you mean `{join_path([*(part.text for part in done), likely])}`?"
    elif names:
        shown = ", ".join(f"`{name}`" for name in names[:10])
        help = f"it holds {shown}{' and more' if len(names) > 10 else ''}; add a new item in the spec or an overlay"
    elif node.items:
        help = f"its items have no names: take a number from 0 to {len(node.items) - 1}"
    else:
        help = "the list is empty; give all of it at once: `[...]`"
    return Diagnostic(
        "set-path", f"`{path}` has no item `{step.text}`", help=help, path=path or None, location=step.location
    )
