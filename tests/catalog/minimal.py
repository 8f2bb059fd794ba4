"""The least that a folder's options need, taken from what its fields say of themselves."""

from typing import Any

import msgspec
from msgspec import inspect

from recplat.catalog import KINDS, Catalog


def fields_of(cls: type) -> list[tuple[inspect.Field, dict[str, Any]]]:
    """Each field and what it says of itself: `description`, `examples`, `default`, …"""
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return [(field, _said(field.type)) for field in info.fields]


def minimal_options(catalog: Catalog, kind: str, name: str) -> Any:
    """Options with a value for every field that has no default, and for those that they turn out to miss."""
    cls = catalog.options(kind, name)
    values: dict[str, Any] = {} if kind == "toggles" else {"type": name}
    fields = {field.name: (field, said) for field, said in fields_of(cls)}
    for field, said in fields.values():
        if field.required:
            values[field.name] = _value(catalog, field, said, values)
    options = _build(values, cls)
    for fault in options.faults():
        values[fault.field] = _value(catalog, *fields[fault.field], values)
    return _build(values, cls)


def _build(values: dict[str, Any], cls: type) -> Any:
    return msgspec.convert(values, cls, dec_hook=lambda _, value: value)


def _value(catalog: Catalog, field: inspect.Field, said: dict[str, Any], values: dict[str, Any]) -> Any:
    if "default_from" in said:
        return values[said["default_from"]]
    kind = _kind(field.type)
    value = said["default"] if "default" in said else said["examples"][0]
    if isinstance(_bare(field.type), inspect.VarTupleType) and not isinstance(value, list):
        value = [value]
    if kind is None:
        return value
    made = [minimal_options(catalog, kind, each) for each in (value if isinstance(value, list) else [value])]
    return made if isinstance(value, list) else made[0]


def _kind(type_: inspect.Type) -> str | None:
    """The catalog kind that a field's values, or a list's, belong to."""
    bare = _bare(type_)
    if isinstance(bare, inspect.VarTupleType):
        return _kind(bare.item_type)
    if isinstance(bare, inspect.CustomType):
        return next(kind for kind, interface in KINDS.items() if interface is bare.cls)
    return None


def _bare(type_: inspect.Type) -> inspect.Type:
    return _bare(type_.type) if isinstance(type_, inspect.Metadata) else type_


def _said(type_: inspect.Type) -> dict[str, Any]:
    if not isinstance(type_, inspect.Metadata):
        return {}
    return _said(type_.type) | (type_.extra_json_schema or {}) | (type_.extra or {})
