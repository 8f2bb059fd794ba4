"""The tags of YAML's core schema, which only say what a value is anyway; every other tag is refused."""

from __future__ import annotations

from recplat.document.nodes import Value
from recplat.document.scalars import resolve

_CORE = "tag:yaml.org,2002:"
_COLLECTIONS = {_CORE + "map": "map", _CORE + "seq": "list", "!": None}
_SCALARS: dict[str, tuple[type, ...]] = {
    _CORE + "int": (int,),
    _CORE + "float": (float, int),
    _CORE + "bool": (bool,),
    _CORE + "null": (type(None),),
}


def scalar_value(tag: str, text: str) -> Value:
    """The value of a scalar that carries `tag`.

    Raises:
        LookupError: a tag that isn't of the core schema.
        ValueError: the text isn't of the tag's type.
    """
    if tag in ("!", _CORE + "str"):
        return text
    types = _SCALARS[tag]
    value = resolve(text)
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError(f"`{text[:40]}` isn't a value of `{short(tag)}`")
    return float(value) if isinstance(value, int) and float in types else value


def allows_collection(tag: str, kind: str) -> bool:
    """Whether `tag` may stand before a "map" or "list"."""
    return tag in _COLLECTIONS and _COLLECTIONS[tag] in (None, kind)


def short(tag: str) -> str:
    """The tag as a person writes it."""
    return "!!" + tag.removeprefix(_CORE) if tag.startswith(_CORE) else tag
