"""What a type annotation of the spec says, for the three walks over it: normalise, schema, reference."""

from typing import Any

import msgspec.inspect as inspect
from msgspec import NODEFAULT
from msgspec.inspect import CustomType, Field, StructType, Type, UnionType

from recplat.lang.kinds import Kind, Toggle

_STRUCTS: dict[type[Any], StructType] = {}


def struct_info(cls: type[Any]) -> StructType:
    """The fields of a struct class with their metadata; looked at once."""
    if cls not in _STRUCTS:
        info = inspect.type_info(cls)
        assert isinstance(info, StructType)
        _STRUCTS[cls] = info
    return _STRUCTS[cls]


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


def is_optional(info: Type) -> bool:
    """Whether None (or nothing at all) is among its values."""
    while isinstance(info, inspect.Metadata):
        info = info.type
    return isinstance(info, UnionType) and any(isinstance(t, inspect.NoneType) for t in info.types)


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


def is_toggle(cls: type[Any]) -> bool:
    return issubclass(cls, Toggle)


def is_required(field: Field) -> bool:
    """Required in the normal form."""
    return field.required


def default_value(field: Field) -> Any:
    """The plain default of a field, NODEFAULT where it has none."""
    if field.default is not NODEFAULT:
        return field.default
    return field.default_factory() if field.default_factory is not NODEFAULT else NODEFAULT


def _without_nothing(info: UnionType) -> tuple[Type, ...]:
    # UNSET does not show up as a member: a field that may be UNSET has the rest of its types only.
    return tuple(member for member in info.types if not isinstance(member, inspect.NoneType))
