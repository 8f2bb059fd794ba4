"""JSON Schema (draft 2020-12) from the types: of the authoring form, for editors, and of the normal form.

A union is `if`/`then` on its tag, never `anyOf`, so that a fault is about the branch that was meant.
"""

from typing import Any, Literal

import msgspec.inspect as inspect
from msgspec import NODEFAULT, to_builtins

from recplat.catalog import Catalog
from recplat.spec.schema_shapes import (
    VARIABLE,
    Schema,
    definition_name,
    drop_none,
    first_line,
    if_then,
    list_or,
    or_null,
    or_variable,
    unless_variable,
)
from recplat.spec.typeinfo import (
    FieldInfo,
    catalog_kind,
    custom_class,
    default_type,
    fields_of,
    is_toggle,
    struct_info,
    union_members,
    unwrap,
)
from recplat.spec.types import Table, Toggles, TrainingJob

Form = Literal["authoring", "normal"]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_MODE_EXAMPLE: Schema = {"examples": [{"mode": "auto"}]}
_SCALARS = (inspect.IntType, inspect.FloatType, inspect.StrType, inspect.BoolType)


def document_schema(catalog: Catalog, form: Form) -> Schema:
    """The whole schema of a TrainingJob with everything that the catalog holds."""
    builder = SchemaBuilder(catalog, form)
    root = builder.ref(TrainingJob)
    definitions = dict(sorted(builder.definitions.items()))
    if form == "authoring":
        definitions["variable"] = VARIABLE
    return {"$schema": DRAFT, "title": f"recplat TrainingJob, {form} form", **root, "$defs": definitions}


class SchemaBuilder:
    """Turns types into schemas; definitions of structs gather in `definitions`."""

    def __init__(self, catalog: Catalog, form: Form) -> None:
        self.catalog = catalog
        self.is_authoring = form == "authoring"
        self.definitions: dict[str, Schema] = {}

    def ref(self, cls: type[Any]) -> Schema:
        """A reference to the definition of a struct, built at its first use."""
        name = definition_name(cls)
        if name not in self.definitions:
            self.definitions[name] = {}  # a type that contains itself finds it
            self.definitions[name].update(self.struct(cls))
        return {"$ref": f"#/$defs/{name}"}

    def struct(self, cls: type[Any]) -> Schema:
        info = struct_info(cls)
        properties: dict[str, Schema] = {}
        if info.tag_field:
            properties[info.tag_field] = {
                "const": info.tag,
                "description": first_line(cls),
                "examples": [info.tag],
            }
        for field in fields_of(cls):
            if self.is_authoring or not field.marks.get("authoring_only"):
                properties[field.name] = self.property(field, may_repeat=_may_repeat(cls))
        # Authors may leave out the tag where it has a default: the union around the definition says where.
        required = [] if self.is_authoring or not info.tag_field else [info.tag_field]
        required += [field.name for field in fields_of(cls) if self.is_required(field)]
        result = drop_none(
            type="object", properties=properties, additionalProperties=False, required=sorted(required) or None
        )
        if text := (cls.__doc__ or "").strip():
            result["description"] = " ".join(text.split())
        return self.with_old_names(result, cls) if self.is_authoring else result

    def with_old_names(self, schema: Schema, cls: type[Any]) -> Schema:
        """Fields under the names they had before; not beside the new ones."""
        for field in fields_of(cls):
            if old := field.marks.get("renamed_from"):
                text = f"Older name of `{field.name}`."
                words = {"deprecated": True, "deprecationMessage": text, "description": text}
                schema["properties"][old] = {**schema["properties"][field.name], **words}
                schema.setdefault("dependentSchemas", {})[old] = {"properties": {field.name: False}}
        return schema

    def is_required(self, field: FieldInfo) -> bool:
        silent = self.is_authoring and not field.marks.keys().isdisjoint(("default", "default_from"))
        return field.is_required and not silent

    def property(self, field: FieldInfo, *, may_repeat: bool = False) -> Schema:
        schema = self.value(field.type, field.marks)
        if self.is_authoring and may_repeat and field.name == "name":
            schema = list_or({"type": "array", "items": schema, "minItems": 1}, schema)
        words = {**field.words, **self.examples_and_default(field, schema)}
        if self.is_authoring and (field.is_optional or field.marks.get("authoring_only")):
            schema = or_null(schema)
        if self.is_authoring:
            schema = or_variable(schema)
        return {**schema, **words}

    def examples_and_default(self, field: FieldInfo, schema: Schema) -> Schema:
        default = field.marks.get("default", field.default)
        plain = NODEFAULT if default is NODEFAULT else to_builtins(default, enc_hook=str)
        found: Schema = {}
        examples = schema.get("examples", field.words.get("examples"))
        if not self.is_authoring and schema.get("type") == "array" and "examples" in schema["items"]:
            examples = [schema["items"]["examples"][:1]]  # the field's own are of the authoring form
        if self.is_authoring and isinstance(plain, str | int | float | bool | list):
            found["default"] = plain
        if examples is None and "enum" in schema:
            examples = schema["enum"]
        elif examples is None and schema.get("type") == "boolean":
            examples = [True, False]
        elif examples is None and isinstance(plain, str | int | float | list):
            examples = [plain]
        return {**found, "examples": examples} if examples is not None else found

    def value(self, info: inspect.Type, marks: dict[str, Any]) -> Schema:
        default = default_type(marks) if self.is_authoring else None
        if default and (kind := catalog_kind(custom_class(info))):
            return self.catalog_union(kind, default)
        schema = self.plain(info)
        if marks.get("one_or_many") and self.is_authoring:
            item = unwrap(info.item_type)[0] if default and isinstance(info, inspect.VarTupleType) else None
            one = schema["items"] if item is None else self.value(item, {"default": default})
            return {**list_or(schema, one), **({"examples": one["examples"]} if "examples" in one else {})}
        return schema

    def nested(self, info: inspect.Type) -> Schema:
        """The schema of items of a list, or of values of a map."""
        plain, marks, words = unwrap(info)
        schema = {**self.value(plain, marks), **words}
        return or_variable(schema) if self.is_authoring else schema

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
                return drop_none(
                    type="string",
                    minLength=info.min_length,
                    maxLength=info.max_length,
                    pattern=self.pattern(info.pattern) if info.pattern else None,
                )
            case inspect.IntType() | inspect.FloatType():
                return drop_none(
                    type="integer" if isinstance(info, inspect.IntType) else "number",
                    minimum=info.ge,
                    maximum=info.le,
                    exclusiveMinimum=info.gt,
                    exclusiveMaximum=info.lt,
                )
        raise AssertionError(f"no schema for {info}")

    def pattern(self, python: str) -> str:
        """As JSON Schema has it: ECMAScript, of which RE2 knows this much too."""
        return python.replace(r"\Z", "$")

    def array(self, info: inspect.VarTupleType) -> Schema:
        items = self.nested(info.item_type)
        return drop_none(type="array", items=items, minItems=info.min_length, maxItems=info.max_length)

    def mapping(self, info: inspect.DictType) -> Schema:
        names = {key: value for key, value in self.plain(unwrap(info.key_type)[0]).items() if key != "type"}
        return drop_none(type="object", additionalProperties=self.nested(info.value_type), propertyNames=names or None)

    def union(self, info: inspect.UnionType) -> Schema:
        members = union_members(info)
        if all(isinstance(member, _SCALARS) for member in members):
            return {"type": sorted({self.plain(member)["type"] for member in members})}
        if not all(isinstance(member, inspect.StructType) for member in members):
            # A string, or a list of strings: `extends`.
            [one] = [member for member in members if isinstance(member, inspect.StrType)]
            [many] = [member for member in members if isinstance(member, inspect.VarTupleType)]
            return list_or(self.array(many), self.plain(one))
        tagged = {str(member.tag): member for member in members if isinstance(member, inspect.StructType)}
        tag_field = next(iter(tagged.values())).tag_field
        assert tag_field
        return self.tagged_union(tag_field, {tag: tagged[tag].cls for tag in sorted(tagged)})

    def tagged_union(self, tag_field: str, classes: dict[str, type[Any]], default: str | None = None) -> Schema:
        tag: Schema = {"enum": list(classes)}
        if self.is_authoring:
            tag = or_variable(tag)
        tag["examples"] = list(classes)[:1]
        tag["description"] = "; ".join(f"`{name}`: {first_line(cls)}" for name, cls in classes.items())
        if default:
            tag["default"] = default
        shape = if_then(tag_field, {name: self.ref(cls) for name, cls in classes.items()}, tag=tag, default=default)
        return {"title": " | ".join(classes), **shape}

    def custom(self, info: inspect.CustomType) -> Schema:
        cls = custom_class(info)
        if cls is Toggles:
            return self.toggles()
        kind = catalog_kind(cls)
        assert kind, f"no schema for {info}"
        return self.catalog_union(kind)

    def catalog_union(self, kind: str, default: str | None = None) -> Schema:
        classes = {name: self.catalog.options(kind, name) for name in self.catalog.names(kind)}
        union = self.tagged_union("type", classes, default)
        bare = [name for name, cls in classes.items() if not any(map(self.is_required, fields_of(cls)))]
        if not bare:
            return union
        if not self.is_authoring:
            return {**union, "examples": [{"type": name} for name in bare]}
        # A name alone says it all: `transform: zscore`. Editors offer the examples, but not what stands behind an `if`.
        return {"if": {"type": "string"}, "then": or_variable({"enum": bare}), "else": union, "examples": bare}

    def toggles(self) -> Schema:
        properties = {}
        for name in self.catalog.names("toggles"):
            options = self.catalog.options("toggles", name)
            schema = self.toggle_shorthands(options) if self.is_authoring else {**self.ref(options), **_MODE_EXAMPLE}
            properties[name] = {**schema, "description": first_line(options)}
        required = None if self.is_authoring else sorted(properties)
        return drop_none(type="object", properties=properties, additionalProperties=False, required=required)

    def toggle_shorthands(self, options: type[Any]) -> Schema:
        assert is_toggle(options)
        bare: Schema = {"enum": ["auto", True, False, None]}
        examples: list[Any] = ["auto", True, False]
        field = next((f for f in fields_of(options) if f.name == options.shorthand), None)
        if field is not None:
            short = self.value(field.type, field.marks)
            if "enum" in short:
                bare = {"enum": [*bare["enum"], *short["enum"]]}
                examples += short["enum"]
            else:
                bare = {"if": {"type": ["boolean", "string", "null"]}, "then": bare, "else": short}
        shape = {"if": {"type": "object"}, "then": self.ref(options), "else": unless_variable(bare)}
        return {**shape, "examples": examples}


def _may_repeat(cls: type[Any]) -> bool:
    """Whether `name: [a, b]` stands for several entries that differ in nothing else."""
    return cls is Table or definition_name(cls).startswith("features.")
