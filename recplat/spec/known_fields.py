"""Where in a spec a field of some name belongs, for people who wrote it one level too high or too low."""

import functools
from collections.abc import Iterator
from typing import Any

import msgspec.inspect as inspect

from recplat.spec.typeinfo import struct_info, union_members, unwrap
from recplat.spec.types import TrainingJob


def homes_of(name: str) -> tuple[str, ...]:
    """Paths of the sections that have a field of that name, catalog folders aside, shortest first."""
    return _homes().get(name, ())


def refused_reason(schema: dict[str, Any], name: str) -> str | None:
    """Why an options class refuses that key on purpose, if it does."""
    reason: str | None = schema.get("x-refused", {}).get(name)
    return reason


@functools.cache
def _homes() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path, name in _walk("", TrainingJob):
        found.setdefault(name, []).append(path)
    return {name: tuple(sorted(paths, key=lambda path: (path.count("."), path))) for name, paths in found.items()}


def _walk(path: str, cls: type[Any]) -> Iterator[tuple[str, str]]:
    for field in struct_info(cls).fields:
        yield path or "the top level", field.encode_name
        info, _, _ = unwrap(field.type)
        below = f"{path}.{field.encode_name}" if path else field.encode_name
        for member in union_members(info):
            if isinstance(member, inspect.VarTupleType):
                member, below = unwrap(member.item_type)[0], f"{below}[]"
            if isinstance(member, inspect.StructType):
                yield from _walk(below, member.cls)
