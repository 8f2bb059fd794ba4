"""Finds every structural fault of a normalised document: the generated schema, run through jsonschema.

Only a document that msgspec has refused comes here, so a right spec does not pay for it. Items of lists that msgspec
accepts are passed over for the same reason.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import msgspec.inspect as inspect
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from msgspec import NODEFAULT, to_builtins

from recplat.catalog import Catalog
from recplat.spec.build import convert
from recplat.spec.schema import SchemaBuilder
from recplat.spec.schema_shapes import Schema, definition_name
from recplat.spec.typeinfo import FieldInfo, fields_of, unwrap
from recplat.spec.types import TrainingJob


class StructuralFault(msgspec.Struct, frozen=True, kw_only=True):
    """A keyword of the schema that a value breaks.

    Besides JSON Schema's own keywords there are "x-union": the tag (`rule["tag"]`) of an object is missing or names
    nothing known; `rule["names"]` are the known ones, `rule["kind"]` the catalog kind or None; and "x-finite": a number
    that is infinite, or none. Of "required" and "additionalProperties" there is one fault for each key, `rule`.
    """

    keyword: str
    rule: Any  # the keyword's value in the schema
    schema: Schema
    instance: Any
    steps: tuple[str | int, ...]  # from the root to the instance


def structural_faults(plain: Any, catalog: Catalog) -> list[StructuralFault]:
    """All faults of a plain normal form."""
    builder = ValidationSchema(catalog, "normal")
    validator = _validator_class(builder)(builder.ref(TrainingJob))
    return [
        StructuralFault(
            keyword=str(error.validator),
            rule=error.validator_value,
            schema=error.schema if isinstance(error.schema, dict) else {},
            instance=error.instance,
            steps=tuple(error.absolute_path),
        )
        for error in validator.iter_errors(plain)
    ]


def not_finite(steps: tuple[str | int, ...]) -> StructuralFault:
    return StructuralFault(keyword="x-finite", rule=None, schema={}, instance=None, steps=steps)


class ValidationSchema(SchemaBuilder):
    """The schema of the normal form as the validator needs it.

    Branches of unions stay open until a document names one. What messages need to know stands beside the keywords:
    `x-fields`, `x-refused`, `x-looks-like`, and the default. Fields that authors may write are known in it, since a
    rule, not the schema, says why they stayed.
    """

    def ref(self, cls: type[Any]) -> Schema:
        super().ref(cls)
        return self.definitions[definition_name(cls)]

    def struct(self, cls: type[Any]) -> Schema:
        schema = super().struct(cls)
        for field in fields_of(cls):
            schema["properties"].setdefault(field.name, self.property(field))
        schema["x-refused"] = dict(getattr(cls, "refused", {}))
        schema["x-class"] = cls
        return schema

    def property(self, field: FieldInfo, *, may_repeat: bool = False) -> Schema:
        default = field.marks.get("default", field.default)
        known = {} if default is NODEFAULT else {"x-default": to_builtins(default, enc_hook=str)}
        return {**super().property(field), **known, **_looks_like(field.marks)}

    def pattern(self, python: str) -> str:
        return python  # jsonschema hands it to Python's `re`, as msgspec does

    def nested(self, info: inspect.Type) -> Schema:
        return {**super().nested(info), **_looks_like(unwrap(info)[1])}

    def array(self, info: inspect.VarTupleType) -> Schema:
        schema = super().array(info)
        if isinstance(item := unwrap(info.item_type)[0], inspect.StructType | inspect.CustomType):
            schema["x-item"] = item.cls
        return schema

    def tagged_union(self, tag_field: str, classes: dict[str, type[Any]], default: str | None = None) -> Schema:
        return {"x-union": {"tag": tag_field, "classes": classes, "kind": None}}

    def catalog_union(self, kind: str, default: str | None = None) -> Schema:
        return {"x-union": {"tag": "type", "kind": kind}}

    def branch(self, rule: dict[str, Any], name: Any) -> Schema | None:
        if not isinstance(name, str):
            return None
        if rule["kind"] is None:
            return self.ref(rule["classes"][name]) if name in rule["classes"] else None
        if not self.catalog.has(rule["kind"], name):
            return None
        return self.ref(self.catalog.options(rule["kind"], name))

    def names(self, rule: dict[str, Any]) -> list[str]:
        return list(rule["classes"]) if rule["kind"] is None else list(self.catalog.names(rule["kind"]))


def _looks_like(marks: dict[str, Any]) -> Schema:
    return {"x-looks-like": marks["looks_like"]} if "looks_like" in marks else {}


def _validator_class(builder: ValidationSchema) -> Any:
    def union(validator: Any, rule: dict[str, Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
        branch = builder.branch(rule, instance.get(rule["tag"])) if isinstance(instance, dict) else None
        if branch is None:
            value = {"tag": rule["tag"], "kind": rule["kind"], "names": builder.names(rule)}
            yield _error("x-union", value, instance)
        else:
            yield from validator.descend(instance, branch)

    def items(validator: Any, item_schema: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, list):
            return
        for index, item in enumerate(instance):
            if not _is_right(item, schema.get("x-item"), builder.catalog):
                yield from validator.descend(item, item_schema, path=index)

    def required(validator: Any, keys: list[str], instance: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(instance, dict):
            yield from (_error("required", key, instance) for key in keys if key not in instance)

    def known(validator: Any, rest: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, dict):
            return
        for key in instance:
            if key in schema.get("properties", ()):
                continue
            if rest is False:
                yield _error("additionalProperties", key, instance)
            else:
                yield from validator.descend(instance[key], rest, path=key)

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    keywords = {"x-union": union, "items": items, "required": required, "additionalProperties": known}
    return extend(Draft202012Validator, keywords, type_checker=checker)  # type: ignore[no-untyped-call]


def _error(keyword: str, rule: Any, instance: Any) -> ValidationError:
    return ValidationError("", validator=keyword, validator_value=rule, instance=instance)


def _is_right(item: Any, cls: Any, catalog: Catalog) -> bool:
    if cls is None:
        return False
    try:
        convert(item, cls, catalog)
    except msgspec.ValidationError:
        return False
    return True


def _is_integer(checker: Any, instance: Any) -> bool:
    # Unlike jsonschema, which takes 1.0 for an integer: the builder does not.
    return isinstance(instance, int) and not isinstance(instance, bool)
