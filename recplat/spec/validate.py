"""Finds every structural fault of a normalised document: the generated schema, run through jsonschema.

Only a document that msgspec has refused comes here, so a right spec does not pay for it. Items of lists that msgspec
accepts are passed over for the same reason.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from recplat.catalog import Catalog
from recplat.spec.build import convert
from recplat.spec.schema import SchemaBuilder
from recplat.spec.types import TrainingJob


class StructuralFault(msgspec.Struct, frozen=True, kw_only=True):
    """A keyword of the schema that a value breaks.

    Besides JSON Schema's own keywords there is "x-union": the tag (`rule["tag"]`) of an object is missing or names
    nothing known; `rule["names"]` are the known ones, `rule["kind"]` the catalog kind or None.
    """

    keyword: str
    rule: Any  # the keyword's value in the schema
    schema: dict[str, Any]
    instance: Any
    message: str
    steps: tuple[str | int, ...]  # from the root to the instance


def structural_faults(plain: Any, catalog: Catalog) -> list[StructuralFault]:
    """All faults of a plain normal form."""
    builder = SchemaBuilder(catalog, "normal", lazy=True)
    validator = _validator_class(builder)(builder.ref(TrainingJob))
    return [_plain_fault(error) for error in validator.iter_errors(plain)]


def _plain_fault(error: ValidationError) -> StructuralFault:
    return StructuralFault(
        keyword=str(error.validator),
        rule=error.validator_value,
        schema=error.schema if isinstance(error.schema, dict) else {},
        instance=error.instance,
        message=error.message,
        steps=tuple(error.absolute_path),
    )


def _validator_class(builder: SchemaBuilder) -> Any:
    def union(validator: Any, rule: dict[str, Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, dict):
            yield _union_fault(builder, rule, instance)
            return
        branch = _branch(builder, rule, instance.get(rule["tag"]))
        if branch is None:
            yield _union_fault(builder, rule, instance)
        else:
            yield from validator.descend(instance, branch)

    def items(validator: Any, item_schema: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, list):
            return
        for index, item in enumerate(instance):
            if not _is_right(item, schema.get("x-item"), builder.catalog):
                yield from validator.descend(item, item_schema, path=index)

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    return extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {"x-union": union, "items": items}, type_checker=checker
    )


def _branch(builder: SchemaBuilder, rule: dict[str, Any], name: Any) -> Any:
    if "branches" in rule:
        return rule["branches"].get(name) if isinstance(name, str) else None
    if not isinstance(name, str) or not builder.catalog.has(rule["kind"], name):
        return None
    return builder.ref(builder.catalog.options(rule["kind"], name))


def _union_fault(builder: SchemaBuilder, rule: dict[str, Any], instance: Any) -> ValidationError:
    names = list(rule["branches"]) if "branches" in rule else list(builder.catalog.names(rule["kind"]))
    value = {"tag": rule["tag"], "kind": rule.get("kind"), "names": names}
    return ValidationError("unknown branch", validator="x-union", validator_value=value, instance=instance)


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
