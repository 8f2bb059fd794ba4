"""What a type annotation of the spec says, for the walks over it: normalise, schema, explain, reference."""

from typing import Any, NamedTuple

import msgspec.inspect as inspect
from msgspec import NODEFAULT
from msgspec.inspect import CustomType, Field, StructType, Type, UnionType

from recplat.lang.kinds import Kind, Toggle


class FieldInfo(NamedTuple):
    """One field of a struct, its type taken apart."""

    name: str
    type: Type  # without metadata, and without None where that is the only other member
    marks: dict[str, Any]  # of `lang.fields`
    words: dict[str, Any]  # description, examples
    is_optional: bool  # None, or nothing at all, is among its values
    is_required: bool  # in the normal form
    default: Any  # NODEFAULT where it has none


_STRUCTS: dict[type[Any], StructType] = {}
_FIELDS: dict[type[Any], tuple[FieldInfo, ...]] = {}


def struct_info(cls: type[Any]) -> StructType:
    """What msgspec says of a struct class; looked at once, with all classes that its fields name."""
    if cls not in _STRUCTS:
        info = inspect.type_info(cls)
        assert isinstance(info, StructType)
        _remember(info)
    return _STRUCTS[cls]


def fields_of(cls: type[Any]) -> tuple[FieldInfo, ...]:
    """The fields of a struct class in their order, the tag left out."""
    if cls not in _FIELDS:
        _FIELDS[cls] = tuple(_field_info(field) for field in struct_info(cls).fields)
    return _FIELDS[cls]


def unwrap(info: Type) -> tuple[Type, dict[str, Any], dict[str, Any]]:
    """A type without its metadata; its marks (`lang.fields`) and its description, examples."""
    marks: dict[str, Any] = {}
    words: dict[str, Any] = {}
    while True:
        if isinstance(info, inspect.Metadata):
            marks = (info.extra or {}) | marks
            words = (info.extra_json_schema or {}) | words
            info = info.type
        elif isinstance(info, UnionType) and len(rest := _without_nothing(info)) == 1:
            info = rest[0]
        else:
            return info, marks, words


def union_members(info: Type) -> tuple[Type, ...]:
    """The members of a union, `None` and UNSET left out."""
    return _without_nothing(info) if isinstance(info, UnionType) else (info,)


def custom_class(info: Type) -> type[Any] | None:
    return info.cls if isinstance(info, CustomType) else None


def catalog_kind(cls: type[Any] | None) -> str | None:
    """The catalog kind that a field of this type names, if it is one of `lang.kinds`' interfaces."""
    if cls is not None and issubclass(cls, Kind) and "kind" in vars(cls):
        return cls.kind
    return None


def default_type(marks: dict[str, Any]) -> str | None:
    """The catalog entry that silence means, where the field of these marks has one: its options need no `type`."""
    default = marks.get("default")
    return default if isinstance(default, str) else None


def is_toggle(cls: type[Any]) -> bool:
    return issubclass(cls, Toggle)


def default_value(field: Field) -> Any:
    """The plain default of a field, NODEFAULT where it has none."""
    if field.default is not NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not NODEFAULT else NODEFAULT


def _field_info(field: Field) -> FieldInfo:
    info, marks, words = unwrap(field.type)
    optional = _is_optional(field.type)
    return FieldInfo(field.encode_name, info, marks, words, optional, field.required, default_value(field))


def _is_optional(info: Type) -> bool:
    while isinstance(info, inspect.Metadata):
        info = info.type
    return isinstance(info, UnionType) and any(isinstance(t, inspect.NoneType) for t in info.types)


def _remember(info: Type) -> None:
    """Keep every struct in a type: msgspec has looked at all of them by the time it answers."""
    while isinstance(info, inspect.Metadata):
        info = info.type
    if isinstance(info, StructType):
        if info.cls in _STRUCTS:
            return
        _STRUCTS[info.cls] = info
        for field in info.fields:
            _remember(field.type)
    elif isinstance(info, UnionType):
        for member in info.types:
            _remember(member)
    elif isinstance(info, inspect.VarTupleType):
        _remember(info.item_type)
    elif isinstance(info, inspect.DictType):
        _remember(info.value_type)


def _without_nothing(info: UnionType) -> tuple[Type, ...]:
    # UNSET does not show up as a member: a field that may be UNSET has the rest of its types only.
    return tuple(member for member in info.types if not isinstance(member, inspect.NoneType))
