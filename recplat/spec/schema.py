"""JSON Schema (draft 2020-12) from the types: of the authoring form, for editors, and of the normal form.

A union is `if`/`then` on its tag, never `anyOf`, so that a fault is about the branch that was meant. For validation the
branches of catalog kinds are left open (`lazy`): the validator resolves the one that a document names and no other.
"""

from typing import Any, Literal

import msgspec.inspect as inspect
from msgspec import NODEFAULT, to_builtins

from recplat.catalog import Catalog
from recplat.spec.typeinfo import (
    catalog_kind,
    custom_class,
    default_value,
    is_optional,
    is_toggle,
    struct_info,
    union_members,
    unwrap,
)
from recplat.spec.types import Table, Toggles, TrainingJob

Form = Literal["authoring", "normal"]
Schema = dict[str, Any]

#: A union of these has one list of types; their bounds, if they had any, would not be said.
_SCALARS = (inspect.IntType, inspect.FloatType, inspect.StrType, inspect.BoolType)

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def document_schema(catalog: Catalog, form: Form) -> Schema:
    """The whole schema of a TrainingJob with everything that the catalog holds."""
    builder = SchemaBuilder(catalog, form)
    root = builder.ref(TrainingJob)
    return {
        "$schema": DRAFT,
        "title": f"recplat TrainingJob, {form} form",
        **root,
        "$defs": dict(sorted(builder.defs.items())),
    }


class SchemaBuilder:
    """Turns types into schemas; definitions gather in `defs`."""

    def __init__(self, catalog: Catalog, form: Form, *, lazy: bool = False) -> None:
        self.catalog = catalog
        self.form = form
        self.lazy = lazy
        self.defs: dict[str, Schema] = {}

    def ref(self, cls: type[Any]) -> Schema:
        """A reference to the definition of a struct, built at its first use; `lazy`: the definition itself."""
        name = definition_name(cls)
        if name not in self.defs:
            self.defs[name] = {}  # a type that contains itself finds it
            self.defs[name].update(self.struct(cls))
        return self.defs[name] if self.lazy else {"$ref": f"#/$defs/{name}"}

    def struct(self, cls: type[Any]) -> Schema:
        info = struct_info(cls)
        properties: dict[str, Schema] = {}
        required: list[str] = []
        if info.tag_field:
            properties[info.tag_field] = {"const": info.tag, "description": _first_line(cls)}
            required.append(info.tag_field)
        for field in info.fields:
            _, marks, _ = unwrap(field.type)
            if marks.get("authoring_only") and self.form == "normal" and not self.lazy:
                continue
            schema = self.field(field)
            if field.encode_name == "name" and _may_repeat(cls) and self.form == "authoring":
                schema = {
                    "if": {"type": "array"},
                    "then": {"type": "array", "items": schema, "minItems": 1},
                    "else": schema,
                }
            properties[field.encode_name] = schema
            if self.is_required(field):
                required.append(field.encode_name)
        result: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            result["required"] = required
        if text := (cls.__doc__ or "").strip():
            result["description"] = " ".join(text.split())
        if self.lazy and getattr(cls, "refused", None):
            result["x-refused"] = dict(cls.refused)
        return result

    def is_required(self, field: inspect.Field) -> bool:
        _, marks, _ = unwrap(field.type)
        silent = self.form == "authoring" and ("default" in marks or "default_from" in marks)
        return field.required and not silent

    def field(self, field: inspect.Field) -> Schema:
        info, marks, words = unwrap(field.type)
        schema = self.value(info, marks)
        if is_optional(field.type) and self.form == "authoring":
            schema = _nullable(schema)
        if "default" in marks and self.form == "authoring":
            words = {**words, "default": marks["default"]}
        elif (value := default_value(field)) is not NODEFAULT and value is not None and self.form == "authoring":
            plain = to_builtins(value, enc_hook=str)
            if isinstance(plain, str | int | float | bool | list):
                words = {**words, "default": plain}
        return {**schema, **{key: value for key, value in words.items() if value is not None}}

    def value(self, info: inspect.Type, marks: dict[str, Any]) -> Schema:
        schema = self.plain(info)
        if marks.get("one_or_many") and self.form == "authoring":
            return {"if": {"type": "array"}, "then": schema, "else": schema["items"]}
        return schema

    def nested(self, info: inspect.Type) -> Schema:
        plain, marks, words = unwrap(info)
        return {**self.value(plain, marks), **words}

    def plain(self, info: inspect.Type) -> Schema:
        match info:
            case inspect.StructType():
                return self.ref(info.cls)
            case inspect.CustomType():
                return self.custom(info)
            case inspect.UnionType():
                return self.union(info)
            case inspect.VarTupleType():
                return self.array(info)
            case inspect.DictType():
                return self.mapping(info)
            case inspect.LiteralType():
                return {"enum": list(info.values)}
            case inspect.BoolType():
                return {"type": "boolean"}
            case inspect.StrType():
                return _drop_none(
                    type="string", minLength=info.min_length, maxLength=info.max_length, pattern=info.pattern
                )
            case inspect.IntType() | inspect.FloatType():
                return _drop_none(
                    type="integer" if isinstance(info, inspect.IntType) else "number",
                    minimum=info.ge,
                    maximum=info.le,
                    exclusiveMinimum=info.gt,
                    exclusiveMaximum=info.lt,
                )
        raise AssertionError(f"no schema for {info}")

    def array(self, info: inspect.VarTupleType) -> Schema:
        items = self.nested(info.item_type)
        schema = _drop_none(type="array", items=items, minItems=info.min_length, maxItems=info.max_length)
        if self.lazy and isinstance(item := unwrap(info.item_type)[0], inspect.StructType | inspect.CustomType):
            schema["x-item"] = item.cls
        return schema

    def mapping(self, info: inspect.DictType) -> Schema:
        schema: Schema = {"type": "object", "additionalProperties": self.nested(info.value_type)}
        key, _, _ = unwrap(info.key_type)
        if isinstance(key, inspect.StrType) and key.pattern:
            schema["propertyNames"] = {"pattern": key.pattern}
        return schema

    def union(self, info: inspect.UnionType) -> Schema:
        members = union_members(info)
        if all(isinstance(member, _SCALARS) for member in members):
            return {"type": sorted({self.plain(member)["type"] for member in members})}
        if not all(isinstance(member, inspect.StructType) for member in members):
            return self.string_or_list(members)
        tagged = {member.tag: member for member in members if isinstance(member, inspect.StructType)}
        tag_field = next(iter(tagged.values())).tag_field
        assert tag_field
        branches = {str(tag): self.ref(member.cls) for tag, member in sorted(tagged.items(), key=str)}
        if self.lazy:
            return {"x-union": {"tag": tag_field, "branches": branches}}
        return _if_then(tag_field, branches)

    def string_or_list(self, members: tuple[inspect.Type, ...]) -> Schema:
        """A string, or a list of strings: `extends`."""
        [one] = [member for member in members if isinstance(member, inspect.StrType)]
        [many] = [member for member in members if isinstance(member, inspect.VarTupleType)]
        return {"if": {"type": "array"}, "then": self.array(many), "else": self.plain(one)}

    def custom(self, info: inspect.CustomType) -> Schema:
        cls = custom_class(info)
        if cls is Toggles:
            return self.toggles()
        kind = catalog_kind(cls)
        assert kind, f"no schema for {info}"
        if self.lazy:
            return {"x-union": {"tag": "type", "kind": kind}}
        names = self.catalog.names(kind)
        branches = {name: self.ref(self.catalog.options(kind, name)) for name in names}
        union = _if_then("type", branches)
        if kind in ("features",) or self.form == "normal":
            return union
        bare = [name for name in names if self.needs_nothing(self.catalog.options(kind, name))]
        return {"if": {"type": "string"}, "then": {"enum": bare}, "else": union} if bare else union

    def needs_nothing(self, options: type[Any]) -> bool:
        """Whether a name alone says it all: `transform: zscore`."""
        return not any(self.is_required(field) for field in struct_info(options).fields)

    def toggles(self) -> Schema:
        properties = {}
        for name in self.catalog.names("toggles"):
            options = self.catalog.options("toggles", name)
            properties[name] = self.ref(options) if self.form == "normal" else self.toggle_shorthands(options)
        required = {"required": sorted(properties)} if self.form == "normal" else {}
        return {"type": "object", "properties": properties, "additionalProperties": False, **required}

    def toggle_shorthands(self, options: type[Any]) -> Schema:
        assert is_toggle(options)
        bare: Schema = {"enum": ["auto", True, False]}
        field = next((f for f in struct_info(options).fields if f.encode_name == options.shorthand), None)
        if field is not None:
            short = self.value(*unwrap(field.type)[:2])
            if "enum" in short:
                bare = {"enum": [*bare["enum"], *short["enum"]]}
            else:
                bare = {"if": {"type": ["boolean", "string"]}, "then": bare, "else": short}
        text = _first_line(options)
        return {"if": {"type": "object"}, "then": self.ref(options), "else": bare, "description": text}


def definition_name(cls: type[Any]) -> str:
    """`Table`, or `models.dlrm` for a catalog folder."""
    parts = cls.__module__.split(".")
    return f"{parts[-3]}.{parts[-2]}" if parts[-1] == "options" else cls.__name__


def _may_repeat(cls: type[Any]) -> bool:
    """Whether `name: [a, b]` stands for several entries that differ in nothing else."""
    return cls is Table or catalog_kind(cls) == "features" or definition_name(cls).startswith("features.")


def _if_then(tag_field: str, branches: dict[str, Schema]) -> Schema:
    """An object whose `tag_field` picks the branch."""
    return {
        "type": "object",
        "required": [tag_field],
        "properties": {tag_field: {"enum": list(branches)}},
        "allOf": [
            {"if": {"properties": {tag_field: {"const": name}}, "required": [tag_field]}, "then": branch}
            for name, branch in branches.items()
        ],
    }


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str) and "allOf" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"if": {"type": "null"}, "else": schema}


def _drop_none(**keywords: Any) -> Schema:
    return {key: value for key, value in keywords.items() if value is not None}


def _first_line(cls: type[Any]) -> str:
    return (cls.__doc__ or "").strip().split("\n")[0]
