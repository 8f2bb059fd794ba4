"""From the authoring form to the normal form, as nodes: each keeps the place it was written at.

What is not understood is left as it is: the schema finds the fault afterwards, at the place where it stands.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec.inspect as inspect

from recplat.catalog import Catalog
from recplat.document import Entry, Mapping, Node, Scalar, Sequence, Substituted
from recplat.spec.inline_tables import move_inline_tables
from recplat.spec.make_nodes import (
    BareMapping,
    BareSequence,
    entry_of,
    from_plain,
    scalar_at,
    with_entries,
    with_items,
)
from recplat.spec.paths import to_normal
from recplat.spec.typeinfo import (
    FieldInfo,
    catalog_kind,
    custom_class,
    default_type,
    fields_of,
    is_toggle,
    union_members,
    unwrap,
)
from recplat.spec.types import Table, Toggles, TrainingJob

_TOGGLE_MODES = {"auto": "auto", True: "enabled", False: "disabled", None: "auto"}


class Normaliser:
    """The normal form of a document, node by node. Applied twice, it changes nothing the second time."""

    def __init__(self, catalog: Catalog, project: Path, origin: Callable[[Node], Path]) -> None:
        """`origin`: the folder that a relative path in a node counts from."""
        self.catalog = catalog
        self.project = project
        self.origin = origin
        self.renamed: list[tuple[Entry, str]] = []  # fields under names that they had before, and their new names

    def document(self, root: Node) -> Node:
        """A whole document, with a table for each one that its features imply."""
        normal = self.struct(root, TrainingJob)
        spec = normal.entries.get("spec") if isinstance(normal, Mapping) else None
        if spec is None or not isinstance(spec.node, Mapping):
            return normal
        moved = move_inline_tables(spec.node, _fixed_dim(spec.node, self.catalog))
        tables = moved.entries.get("tables")
        if tables is not None and isinstance(tables.node, Sequence):
            items = [self.struct(table, Table) for table in tables.node.items]
            whole = tables.with_node(with_items(tables.node, items))
            moved = with_entries(moved, {**moved.entries, "tables": whole})
        assert isinstance(normal, Mapping)
        return with_entries(normal, {**normal.entries, "spec": spec.with_node(moved)})

    def node(self, node: Node, info: inspect.Type, marks: dict[str, Any]) -> Node:
        if not marks:
            return self.value(node, info)
        if "one_or_many" in marks and isinstance(info, inspect.VarTupleType) and not isinstance(node, Sequence):
            node = BareSequence([self.alone(node, info, marks)], node.location)
        kind = catalog_kind(custom_class(info))
        if kind and isinstance(node, Mapping):
            return self.custom(self.with_type(node, kind, default_type(marks)), info)
        if "path" in marks and isinstance(node, Scalar) and isinstance(node.value, str):
            return _replace(node, to_normal(node.value, directory=self.origin(node), root=self.project))
        return self.value(node, info)

    def value(self, node: Node, info: inspect.Type) -> Node:
        kind = info.__class__  # by class, not by `isinstance`: a large spec comes here a million times
        if kind is inspect.CustomType:
            return self.custom(node, info)
        if kind is inspect.StructType:
            return self.struct(node, info.cls)  # type: ignore[attr-defined]
        if kind is inspect.UnionType:
            return self.union(node, info)
        if kind is inspect.IntType and isinstance(node, Scalar) and isinstance(node.value, float):
            # `1e6` is a float in YAML, and a count to the person who wrote it.
            return _replace(node, int(node.value)) if node.value.is_integer() else node
        if isinstance(info, inspect.VarTupleType) and isinstance(node, Sequence):
            item, marks, _ = unwrap(info.item_type)
            return with_items(node, [self.node(one, item, marks) for one in node.items])
        if isinstance(info, inspect.DictType) and isinstance(node, Mapping):
            value, marks, _ = unwrap(info.value_type)
            entries = {key: e.with_node(self.node(e.node, value, marks)) for key, e in node.entries.items()}
            return with_entries(node, entries)
        return node

    def union(self, node: Node, info: inspect.Type) -> Node:
        """Structs told apart by a tag, such as `split: {by: random}`."""
        for member in union_members(info):
            if isinstance(member, inspect.StructType) and isinstance(node, Mapping) and member.tag_field:
                tag = node.get(member.tag_field)
                if isinstance(tag, Scalar) and tag.value == member.tag:
                    return self.struct(node, member.cls)
        return node

    def custom(self, node: Node, info: inspect.Type) -> Node:
        cls = custom_class(info)
        if cls is Toggles:
            return self.toggles(node)
        kind = catalog_kind(cls)
        if kind is None:
            return node
        # No feature is said by its type alone: such a text is a name, and told so.
        if isinstance(node, Scalar) and isinstance(node.value, str) and kind != "features":
            node = BareMapping({"type": entry_of("type", node)}, node.location)
        name = node.get("type") if isinstance(node, Mapping) else None
        if isinstance(name, Scalar) and isinstance(name.value, str) and self.catalog.has(kind, name.value):
            return self.struct(node, self.catalog.options(kind, name.value))
        return node

    def alone(self, node: Node, info: inspect.VarTupleType, marks: dict[str, Any]) -> Node:
        """What stands in place of a list of one."""
        kind = catalog_kind(custom_class(unwrap(info.item_type)[0]))
        return self.with_type(node, kind, default_type(marks)) if kind and isinstance(node, Mapping) else node

    def with_type(self, node: Mapping, kind: str, default: str | None) -> Mapping:
        """Options without a `type` are those of the field's default."""
        if default is None or "type" in node.entries or not self.catalog.has(kind, default):
            return node
        fields = {field.name for field in fields_of(self.catalog.options(kind, default))}
        names = self.catalog.names(kind)
        for key, entry in node.entries.items():
            value = entry.node.value if isinstance(entry.node, Scalar) else None
            if key not in fields and (key in names or value in names):
                return node  # `{hash: {buckets: 10}}`, `{name: adam}`: the type is there, in a wrong way
        return with_entries(node, {"type": entry_of("type", scalar_at(default, node), at=node), **node.entries})

    def toggles(self, node: Node) -> Node:
        if not isinstance(node, Mapping):
            return node
        entries = dict(node.entries)
        for name in self.catalog.names("toggles"):
            entry = entries.get(name) or entry_of(name, scalar_at("auto", node), at=node)
            options = self.catalog.options("toggles", name)
            entries[name] = entry.with_node(self.struct(_toggle_object(entry.node, options), options))
        return with_entries(node, entries)

    def struct(self, node: Node, cls: type[Any]) -> Node:
        if not isinstance(node, Mapping):
            return node
        entries = dict(node.entries)
        for field in fields_of(cls):
            name = field.name
            entry = entries.get(name) or self.older(entries, field) or _default(node, field)
            if entry is None:
                continue
            if field.is_optional and isinstance(entry.node, Scalar) and entry.node.value is None:
                del entries[name]  # `key:` with nothing behind it: not given
            else:
                normal = self.node(entry.node, field.type, field.marks)
                entries[name] = entry if normal is entry.node else entry.with_node(normal)
        return with_entries(node, entries)

    def older(self, entries: dict[str, Entry], field: FieldInfo) -> Entry | None:
        """The field under the name that it had before, which it then loses."""
        old = field.marks.get("renamed_from")
        if old is None or old not in entries:
            return None
        entry = entries.pop(old)
        self.renamed.append((entry, field.name))
        entries[field.name] = Entry(field.name, entry.location, entry.node, entry.plain)
        return entries[field.name]


def _default(node: Mapping, field: FieldInfo) -> Entry | None:
    """What silence means for this field, standing at the place of the map that lacks it."""
    if "default" in field.marks:
        return entry_of(field.name, from_plain(field.marks["default"], node), at=node)
    sibling = node.get(field.marks["default_from"]) if "default_from" in field.marks else None
    if isinstance(sibling, Scalar):
        return entry_of(field.name, sibling)
    return None


def _fixed_dim(spec: Mapping, catalog: Catalog) -> int | None:
    """The dim that the spec's model prescribes, if it does."""
    model = spec.get("model")
    name = model.get("type") if isinstance(model, Mapping) else None
    if isinstance(name, Scalar) and isinstance(name.value, str) and catalog.has("models", name.value):
        fixed: int | None = catalog.options("models", name.value).fixed_dim
        return fixed
    return None


def _toggle_object(node: Node, options: type[Any]) -> Node:
    assert is_toggle(options)
    if isinstance(node, Mapping):
        if "mode" in node.entries:
            return node
        return with_entries(node, {"mode": entry_of("mode", scalar_at("enabled", node), at=node), **node.entries})
    if not isinstance(node, Scalar):
        return node
    mode = _TOGGLE_MODES.get(node.value) if isinstance(node.value, bool | str | None) else None
    if mode is None and options.shorthand is None:
        mode = str(node.value)  # refused by the schema, at its own place
    entries = {"mode": entry_of("mode", _replace(node, mode or "enabled"))}
    if mode is None:
        entries[options.shorthand] = entry_of(options.shorthand, node)
    return BareMapping(entries, node.location)


def _replace(node: Scalar, value: str | int | float | bool) -> Scalar:
    if isinstance(node, Substituted):
        return Substituted(value, node.location, node.text, node.written)
    return Scalar(value, node.location, node.text, node.plain)
