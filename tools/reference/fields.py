"""A struct's fields as a Markdown table."""

import json
from collections.abc import Iterable
from typing import Any

import msgspec.inspect as inspect
from msgspec import NODEFAULT, to_builtins

from recplat.spec.typeinfo import catalog_kind, custom_class, default_value, struct_info, union_members, unwrap
from recplat.spec.types import Toggles

#: What a catalog kind is called in a sentence.
KIND_TITLES = {
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


def field_table(cls: type[Any], *, link: str) -> list[str]:
    """Lines of the table. `link`: prefix of links to a section of the spec page, empty on that page itself."""
    fields = struct_info(cls).fields
    if not fields:
        return ["No options.", ""]
    rows = [_row(field, link) for field in fields]
    return ["| field | type | default | |", "|---|---|---|---|", *rows, ""]


def _row(field: inspect.Field, link: str) -> str:
    info, marks, words = unwrap(field.type)
    text = words.get("description", "")
    if examples := words.get("examples"):
        text += f" Example: {', '.join(_value(example) for example in examples)}."
    cells = (f"`{field.encode_name}`", _type(info, link, marks), _default(field, marks), text)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _default(field: inspect.Field, marks: dict[str, Any]) -> str:
    if "default" in marks:
        return _value(marks["default"]) if marks["default"] != {} else "see there"
    if "default_from" in marks:
        return f"as `{marks['default_from']}`"
    if marks.get("authoring_only"):
        return ""
    value = default_value(field)
    if value is NODEFAULT:
        return "**required**"
    if value is None:
        return ""
    plain = to_builtins(value, enc_hook=str)
    return "see there" if isinstance(plain, dict) and plain else _value(plain)


def _value(value: Any) -> str:
    return f"`{value}`" if isinstance(value, str) and value else f"`{json.dumps(value, ensure_ascii=False)}`"


def _type(info: inspect.Type, link: str, marks: dict[str, Any] | None = None) -> str:
    words = _plain_type(info, link)
    return f"{words}, or one alone" if marks and marks.get("one_or_many") else words


def _plain_type(info: inspect.Type, link: str) -> str:
    match info:
        case inspect.Metadata():
            return _type(unwrap(info)[0], link)
        case inspect.BoolType():
            return "`true` or `false`"
        case inspect.IntType() | inspect.FloatType():
            return _number(info)
        case inspect.StrType():
            return "text"
        case inspect.LiteralType():
            return ", ".join(f"`{value}`" for value in info.values)
        case inspect.VarTupleType():
            return f"list of {_type(info.item_type, link)}"
        case inspect.DictType():
            return f"map of {_type(info.value_type, link)}"
        case inspect.StructType():
            return f"[{info.cls.__name__}]({link}#{info.cls.__name__.lower()})"
        case inspect.CustomType():
            return _custom(info, link)
        case inspect.UnionType():
            return _any_of(_type(member, link) for member in union_members(info))
        case _:
            raise AssertionError(f"no words for {info}")


def _custom(info: inspect.CustomType, link: str) -> str:
    cls = custom_class(info)
    kind = "toggles" if cls is Toggles else catalog_kind(cls)
    assert kind, info
    page = "" if link else "catalog.md"
    return f"[{KIND_TITLES[kind]}{'s' if cls is Toggles else ''}]({page}#{kind})"


def _number(info: inspect.IntType | inspect.FloatType) -> str:
    word = "integer" if isinstance(info, inspect.IntType) else "number"
    signs = (("≥", info.ge), (">", info.gt), ("≤", info.le), ("<", info.lt))
    bounds = [
        f"{sign} {bound:g}" if abs(bound) < 1e6 else f"{sign} {bound}" for sign, bound in signs if bound is not None
    ]
    return " ".join([word, ", ".join(bounds)]).strip()


def _any_of(words: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(words))
