"""Makes a spec with structural faults buildable, so that the rules can look at the rest of it in the same pass.

What is at fault is left out; where a section can't do without it, a stand-in takes the section's place and the section
counts as left out.
"""

from typing import Any

import msgspec

from recplat.document import Mapping, Node, Sequence, to_plain
from recplat.spec.build import build_job
from recplat.spec.find import Step, named_steps
from recplat.spec.left_out import LeftOut
from recplat.spec.make_nodes import entry_of, from_plain, with_entries, with_items
from recplat.spec.normalise import Normaliser
from recplat.spec.types import TrainingJob
from recplat.spec.validate import StructuralFault, structural_faults

#: For sections that every spec must have. Rules never see these: the section counts as left out.
_STAND_INS: dict[tuple[Step, ...], Any] = {
    ("apiVersion",): "recplat.io/v1alpha1",
    ("kind",): "TrainingJob",
    ("metadata",): {"name": "unnamed"},
    ("spec",): {},
    ("spec", "data"): {"source": {"path": "."}, "split": {"by": "random"}, "label": {"column": "label"}},
    ("spec", "data", "label"): {"column": "label"},
    ("spec", "data", "label", "column"): "label",
    ("spec", "features"): [{"name": "unreadable", "type": "numeric"}],
    ("spec", "model"): {"type": "logistic_regression"},
}
_MAX_ROUNDS = 12


def repair(
    normal: Node, faults: list[StructuralFault], normaliser: Normaliser
) -> tuple[TrainingJob | None, Node, LeftOut]:
    """A job from what is left, its nodes, and the paths below `spec` that were left out."""
    left_out: set[tuple[Step, ...]] = set()
    for _ in range(_MAX_ROUNDS):
        for steps in [steps for fault in faults for steps in _at_fault(fault)]:
            left_out.update(_below_spec(named_steps(normal, steps)))
            normal = _without(normal, steps)
        normal = normaliser.document(_with_stand_ins(_without_holes(normal), left_out))
        plain: Any = to_plain(normal)
        try:
            return build_job(plain, normaliser.catalog), normal, LeftOut(left_out)
        except msgspec.ValidationError:
            faults = structural_faults(plain, normaliser.catalog)
    return None, normal, LeftOut(left_out)


def _at_fault(fault: StructuralFault) -> list[tuple[Step, ...]]:
    """Paths to leave out; none where a stand-in will do."""
    if fault.keyword == "required" and (*fault.steps, fault.rule) in _STAND_INS:
        return []
    if fault.keyword == "additionalProperties":
        return [(*fault.steps, fault.rule)]
    return [fault.steps]


def _below_spec(path: tuple[Step, ...]) -> list[tuple[Step, ...]]:
    return [path[1:]] if path[:1] == ("spec",) and len(path) > 1 else []


def _without(node: Node, steps: tuple[Step, ...]) -> Node:
    """The document without the value at `steps`. In a list a hole stays until the round ends: null."""
    if not steps:
        return node
    step, rest = steps[0], steps[1:]
    if isinstance(node, Mapping) and step in node.entries:
        entries = dict(node.entries)
        entry = entries.pop(str(step))
        if rest:
            entries[str(step)] = entry.with_node(_without(entry.node, rest))
        return with_entries(node, entries)
    if isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
        items: list[Node] = list(node.items)
        items[step] = _without(items[step], rest) if rest else from_plain(None, node)
        return with_items(node, items)
    return node


def _with_stand_ins(node: Node, left_out: set[tuple[Step, ...]]) -> Node:
    for steps, value in _STAND_INS.items():
        node = _filled(node, steps, value, left_out, ())
    return node


def _filled(
    node: Node, steps: tuple[Step, ...], value: Any, left_out: set[tuple[Step, ...]], at: tuple[Step, ...]
) -> Node:
    if not isinstance(node, Mapping):
        return from_plain({str(steps[0]): value}, node)
    key = str(steps[0])
    path = (*at, key)
    entries = dict(node.entries)
    if len(steps) > 1 and key in entries:
        entries[key] = entries[key].with_node(_filled(entries[key].node, steps[1:], value, left_out, path))
    elif key not in entries or (isinstance(found := entries[key].node, Sequence) and not found.items):
        entries[key] = entry_of(key, from_plain(value, node), at=node)
        left_out.update(_below_spec(path))
    return with_entries(node, entries)


def _without_holes(node: Node) -> Node:
    if isinstance(node, Mapping):
        changed = {
            key: entry.with_node(whole)
            for key, entry in node.entries.items()
            if (whole := _without_holes(entry.node)) is not entry.node
        }
        return with_entries(node, {**node.entries, **changed}) if changed else node
    if isinstance(node, Sequence):
        items = [_without_holes(item) for item in node.items if getattr(item, "value", item) is not None]
        same = len(items) == len(node.items) and all(a is b for a, b in zip(items, node.items, strict=True))
        return node if same else with_items(node, items)
    return node
