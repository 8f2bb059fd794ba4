"""`docs/reference/spec.md`: every section of the spec and its fields."""

from collections.abc import Iterator
from typing import Any

import msgspec.inspect as inspect

from recplat.spec.typeinfo import struct_info, union_members, unwrap
from recplat.spec.types import TrainingJob
from tools.reference.fields import SPEC_PAGE, field_table


def spec_page() -> str:
    lines = [
        "# The spec",
        "",
        "Every field of a `TrainingJob`, made from the types in `recplat/spec/types.py`. What stands under *default* "
        "is what an author's silence means; `recplat plan` shows what it came to. Models, features and all else "
        "that is chosen by `type` are in the [catalog](catalog.md).",
        "",
    ]
    for cls in sections(TrainingJob):
        info = struct_info(cls)
        lines += [f"## {cls.__name__}", ""]
        if cls.__doc__:
            lines += [cls.__doc__.strip(), ""]
        if info.tag_field:
            lines += [f"Chosen by `{info.tag_field}: {info.tag}`.", ""]
        lines += field_table(cls, on_page=SPEC_PAGE)
    return "\n".join(lines)


def sections(root: type[Any]) -> list[type[Any]]:
    """The struct and all structs below it, each before those it contains, in the order of their fields."""
    found: dict[type[Any], None] = {}

    def visit(cls: type[Any]) -> None:
        if cls not in found:
            found[cls] = None
            for field in struct_info(cls).fields:
                for inner in _structs(field.type):
                    visit(inner)

    visit(root)
    return list(found)


def _structs(info: inspect.Type) -> Iterator[type[Any]]:
    info = unwrap(info)[0]
    if isinstance(info, inspect.StructType):
        yield info.cls
    elif isinstance(info, inspect.VarTupleType):
        yield from _structs(info.item_type)
    elif isinstance(info, inspect.DictType):
        yield from _structs(info.value_type)
    elif isinstance(info, inspect.UnionType):
        for member in union_members(info):
            yield from _structs(member)
