"""A field in words, for `recplat explain` and the reference: its type, its default, what it says of itself."""

import json
from collections.abc import Callable
from typing import Any

import msgspec.inspect as inspect
from msgspec import NODEFAULT, Struct, to_builtins

from recplat.spec.typeinfo import (
    catalog_kind,
    custom_class,
    default_type,
    default_value,
    struct_info,
    union_members,
    unwrap,
)
from recplat.spec.types import Toggles

#: What an entry of a catalog kind is called in a sentence.
KIND_WORDS = {
    "models": "model",
    "features": "feature",
    "transforms": "transform",
    "metrics": "metric",
    "dense_optimizers": "dense optimiser",
    "embedding_optimizers": "embedding optimiser",
    "schedules": "schedule",
    "initializers": "initialiser",
    "sharding": "sharding type",
    "toggles": "toggle",
}

#: Names a section (`Train`) or a catalog kind (`models`) inside the words of a type: its title -> text.
Refer = Callable[[str, str], str]

REQUIRED = "required"


class FieldText(Struct, frozen=True, kw_only=True):
    name: str
    type: str
    default: str  # `REQUIRED`, what silence means in backticks, or "" where it means nothing
    description: str  # with the examples


def describe_fields(cls: type[Any], refer: Refer) -> tuple[FieldText, ...]:
    """The fields of a section or of a catalog entry's options, in their order.

    Args:
        refer: (title, name) -> text, where `name` is a section's class name or a catalog kind.
    """
    return tuple(_describe(field, refer) for field in struct_info(cls).fields)


def _describe(field: inspect.Field, refer: Refer) -> FieldText:
    info, marks, words = unwrap(field.type)
    text = str(words.get("description", ""))
    if examples := words.get("examples"):
        text += f" Example: {', '.join(_value(example) for example in examples)}."
    if default := default_type(marks):
        text += f" Options without `type` are those of `{default}`."
    alone = ", or one alone" if marks.get("one_or_many") else ""
    return FieldText(
        name=field.encode_name,
        type=type_words(info, refer) + alone,
        default=_default(field, marks),
        description=text,
    )


def type_words(info: inspect.Type, refer: Refer) -> str:
    """A type as people say it: `list of integer ≥ 1`."""
    match info:
        case inspect.Metadata():
            return type_words(unwrap(info)[0], refer)
        case inspect.BoolType():
            return "`true` or `false`"
        case inspect.IntType() | inspect.FloatType():
            return _number(info)
        case inspect.StrType():
            return "text"
        case inspect.LiteralType():
            return ", ".join(f"`{value}`" for value in info.values)
        case inspect.VarTupleType():
            return f"list of {type_words(info.item_type, refer)}"
        case inspect.DictType():
            return f"map of {type_words(info.value_type, refer)}"
        case inspect.StructType():
            return refer(info.cls.__name__, info.cls.__name__)
        case inspect.CustomType():
            kind = kind_of(info)
            assert kind, f"no words for {info}"
            return refer(KIND_WORDS[kind] + ("s" if kind == "toggles" else ""), kind)
        case inspect.UnionType():
            return " or ".join(dict.fromkeys(type_words(member, refer) for member in union_members(info)))
    raise AssertionError(f"no words for {info}")


def kind_of(info: inspect.Type) -> str | None:
    """The catalog kind whose entries a field takes."""
    cls = custom_class(info)
    return "toggles" if cls is Toggles else catalog_kind(cls)


def _default(field: inspect.Field, marks: dict[str, Any]) -> str:
    if "default" in marks:
        return _value(marks["default"]) if marks["default"] != {} else ""
    if "default_from" in marks:
        return f"as `{marks['default_from']}`"
    if marks.get("authoring_only"):
        return ""
    value = default_value(field)
    if value is NODEFAULT:
        return REQUIRED
    if value is None:
        return ""
    plain = to_builtins(value, enc_hook=str)
    return "" if isinstance(plain, dict) else _value(plain)


def _value(value: Any) -> str:
    return f"`{value}`" if isinstance(value, str) and value else f"`{json.dumps(value, ensure_ascii=False)}`"


def _number(info: inspect.IntType | inspect.FloatType) -> str:
    word = "integer" if isinstance(info, inspect.IntType) else "number"
    signs = (("≥", info.ge), (">", info.gt), ("≤", info.le), ("<", info.lt))
    bounds = [f"{sign} {_figure(bound)}" for sign, bound in signs if bound is not None]
    return " ".join([word, ", ".join(bounds)]).strip()


def _figure(number: float) -> str:
    return f"{int(number):,}" if float(number).is_integer() else f"{number:g}"
