"""What `recplat explain` tells of a field, a section or a catalog entry, found by its path."""

import inspect as python_inspect
from typing import Any

import msgspec.inspect as inspect
from msgspec import Struct

from recplat.catalog import KINDS, Catalog
from recplat.diagnostics import Diagnostic, Problems, known_codes, nearest
from recplat.spec.describe import KIND_WORDS, FieldText, describe_fields, kind_of
from recplat.spec.typeinfo import struct_info, union_members, unwrap
from recplat.spec.types import Spec, TrainingJob


class Explanation(Struct, frozen=True, kw_only=True):
    """All that is known of one topic; what doesn't apply is empty."""

    title: str
    text: str = ""
    field: FieldText | None = None  # the topic itself, where it is a field
    fields: tuple[FieldText, ...] = ()  # what a section or entry consists of
    choices: tuple[str, ...] = ()  # topics that tell of what may stand here


def explain_topic(topic: str, catalog: Catalog) -> Explanation:
    """Explain `spec.train.batch_size` (`spec.` may be left out), `models.deepfm`, or `deepfm`.

    Raises:
        Problems: nothing is known by that name.
    """
    steps = [step for step in topic.replace("[", ".").replace("]", "").split(".") if step and not step.isdigit()]
    found = _walk(steps, TrainingJob, catalog) or _walk(steps, Spec, catalog) or _entry(steps, catalog)
    if found is None:
        raise Problems([_unknown(topic, catalog)])
    return found


def _walk(steps: list[str], cls: type[Any], catalog: Catalog) -> Explanation | None:
    """Follow field names from a struct down to the topic."""
    if not steps:
        return None
    name, *rest = steps
    field = next((field for field in struct_info(cls).fields if field.encode_name == name), None)
    if field is None:
        return None
    if isinstance(unwrap(field.type)[0], inspect.DictType):
        rest = rest[1:]  # the key, which the author chose
    if not rest:
        text = next(text for text in describe_fields(cls, _refer) if text.name == name)
        return _of_field(text, field.type, catalog)
    kind = _inner_kind(field.type)
    if kind:
        return _entry([kind, *rest], catalog)
    # Several are told apart by a tag, such as `split.by`: the first that knows the next name.
    found = (_walk(rest, inner, catalog) for inner in _structs(field.type))
    return next((explanation for explanation in found if explanation), None)


def _of_field(text: FieldText, info: inspect.Type, catalog: Catalog) -> Explanation:
    kind = _inner_kind(info)
    if kind:
        names = tuple(f"{kind}.{name}" for name in catalog.names(kind))
        return Explanation(title=text.name, field=text, choices=names)
    inner = _structs(info)
    if len(inner) == 1:
        return Explanation(title=text.name, field=text, fields=describe_fields(inner[0], _refer))
    fields = {field.name: field for cls in inner for field in describe_fields(cls, _refer)}
    return Explanation(title=text.name, field=text, fields=tuple(fields.values()))


def _entry(steps: list[str], catalog: Catalog) -> Explanation | None:
    """A catalog kind, an entry of it, or a field of an entry; the kind may be left out where the name is unique."""
    if not steps:
        return None
    if steps[0] not in KINDS:
        kinds = [kind for kind in KINDS if steps[0] in catalog.names(kind)]
        return _entry([kinds[0], *steps], catalog) if len(kinds) == 1 else None
    kind, *rest = steps
    if not rest:
        names = tuple(f"{kind}.{name}" for name in catalog.names(kind))
        return Explanation(title=kind, text=f"Each is a {KIND_WORDS[kind]}.", choices=names)
    if not catalog.has(kind, rest[0]):
        return None
    options = catalog.options(kind, rest[0])
    if len(rest) > 1:
        return _walk(rest[1:], options, catalog)
    title = f"{rest[0]} ({KIND_WORDS[kind]})"
    text = python_inspect.cleandoc(options.__doc__ or "")
    return Explanation(title=title, text=text, fields=describe_fields(options, _refer))


def _inner_kind(info: inspect.Type) -> str | None:
    """The catalog kind of a field, or of the items of a list."""
    info = unwrap(info)[0]
    if isinstance(info, inspect.VarTupleType):
        return _inner_kind(info.item_type)
    return kind_of(info) if isinstance(info, inspect.CustomType) else None


def _structs(info: inspect.Type) -> list[type[Any]]:
    info = unwrap(info)[0]
    if isinstance(info, inspect.VarTupleType):
        return _structs(info.item_type)
    if isinstance(info, inspect.DictType):
        return _structs(info.value_type)
    return [member.cls for member in union_members(info) if isinstance(member, inspect.StructType)]


def _refer(title: str, name: str) -> str:
    return title if name in KIND_WORDS else "section"


def _unknown(topic: str, catalog: Catalog) -> Diagnostic:
    entries = [f"{kind}.{name}" for kind in KINDS for name in catalog.names(kind)]
    same = [entry for entry in entries if entry.partition(".")[2] == topic]
    meant = nearest(topic, [*known_codes(), *entries, *(entry.partition(".")[2] for entry in entries)])
    if same:
        help = f"say which: {', '.join(f'`{entry}`' for entry in same)}"
    elif meant:
        help = f"did you mean `{meant}`?"
    else:
        help = "begin with `recplat explain spec`, and go down from there"
    message = f"`{topic}` is neither a diagnostic's code, nor a field, nor one entry of the catalog"
    return Diagnostic("topic-unknown", message, help=help)
