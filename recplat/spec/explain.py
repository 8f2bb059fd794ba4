"""What `recplat explain` tells of a field, a section or a catalog entry, found by its path or its name alone."""

import inspect as python_inspect
from collections.abc import Iterator
from typing import Any

import msgspec.inspect as inspect
from msgspec import Struct

from recplat.catalog import KINDS, Catalog
from recplat.diagnostics import Diagnostic, Problems, known_codes, nearest
from recplat.spec.describe import KIND_WORDS, REQUIRED, FieldText, describe_fields, kind_of
from recplat.spec.schema_shapes import definition_name
from recplat.spec.shorthands import shorthands, toggle_shorthands
from recplat.spec.typeinfo import FieldInfo, fields_of, struct_info, union_members, unwrap
from recplat.spec.types import Spec, TrainingJob

_MAX_NAMED = 6


class Explanation(Struct, frozen=True, kw_only=True):
    """All that is known of one topic; what doesn't apply is empty."""

    title: str
    text: str = ""
    field: FieldText | None = None  # the topic itself, where it is a field
    shorthands: tuple[str, ...] = ()  # what authors may write in its place, in sentences
    fields: tuple[FieldText, ...] = ()  # what a section or entry consists of
    choices: tuple[str, ...] = ()  # topics that tell of what may stand here


def explain_topic(topic: str, catalog: Catalog) -> Explanation:
    """Explain `spec.train.batch_size` (`spec.` may be left out), `models.deepfm`, `deepfm`, or `batch_size`.

    Raises:
        Problems: nothing is known by that name, or more than one thing.
    """
    found = _at(topic, catalog)
    if found is None:
        places = [path for path in _topics(catalog) if path.endswith(f".{topic}")]
        found = _at(places[0], catalog) if len(places) == 1 else None
    if found is None:
        raise Problems([_unknown(topic, catalog)])
    return found


def _at(topic: str, catalog: Catalog) -> Explanation | None:
    steps = [step for step in topic.replace("[", ".").replace("]", "").split(".") if step and not step.isdigit()]
    return _walk(steps, TrainingJob, catalog) or _walk(steps, Spec, catalog) or _entry(steps, catalog)


def _walk(steps: list[str], cls: type[Any], catalog: Catalog) -> Explanation | None:
    """Follow field names from a struct down to the topic."""
    if not steps:
        return None
    name, *rest = steps
    field = next((field for field in fields_of(cls) if name in (field.name, field.marks.get("renamed_from"))), None)
    if field is None:
        return _tag(cls) if name == struct_info(cls).tag_field and not rest else None
    if isinstance(field.type, inspect.DictType):
        rest = rest[1:]  # the key, which the author chose
    if not rest:
        return _of_field(field, cls, catalog)
    kind = _inner_kind(field.type)
    if kind:
        return _entry([kind, *rest], catalog) or _of_several(kind, rest, catalog)
    # Several are told apart by a tag, such as `split.by`: the first that knows the next name.
    classes = _structs(field.type)
    if len(classes) > 1 and rest == [struct_info(classes[0]).tag_field]:
        return _tag(*classes)
    found = (_walk(rest, inner, catalog) for inner in classes)
    return next((explanation for explanation in found if explanation), None)


def _of_field(field: FieldInfo, cls: type[Any], catalog: Catalog) -> Explanation:
    text = next(text for text in describe_fields(cls, _refer) if text.name == field.name)
    short = tuple(shorthands(field, definition_name(cls), catalog))
    kind = _inner_kind(field.type)
    if kind:
        names = tuple(f"{kind}.{name}" for name in catalog.names(kind))
        return Explanation(title=text.name, field=text, shorthands=short, choices=names)
    inner = _structs(field.type)
    fields = {field.name: field for one in inner for field in describe_fields(one, _refer)}
    return Explanation(title=text.name, field=text, shorthands=short, fields=tuple(fields.values()))


def _of_several(kind: str, rest: list[str], catalog: Catalog) -> Explanation | None:
    """A field that entries of the kind have, where the path does not say of which: `dense_optimizer.learning_rate`."""
    if rest == ["type"]:
        return _entry([kind], catalog)
    having = [name for name in catalog.names(kind) if _walk(rest, catalog.options(kind, name), catalog)]
    if not having:
        return None
    return Explanation(
        title=rest[-1],
        text=f"Depends on the {KIND_WORDS[kind]}.",
        choices=tuple(".".join([kind, name, *rest]) for name in having),
    )


def _tag(*classes: type[Any]) -> Explanation:
    """The field that says which of several maps one is."""
    tags = [str(struct_info(cls).tag) for cls in classes]
    lines = [f"`{tag}`: {(cls.__doc__ or '').strip().splitlines()[0]}" for tag, cls in zip(tags, classes, strict=True)]
    name = str(struct_info(classes[0]).tag_field)
    words = ", ".join(f"`{tag}`" for tag in tags)
    field = FieldText(name=name, type=words, default=REQUIRED, description=" ".join(lines))
    return Explanation(title=name, field=field)


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
    return Explanation(
        title=f"{rest[0]} ({KIND_WORDS[kind]})",
        text=python_inspect.cleandoc(options.__doc__ or ""),
        shorthands=tuple(toggle_shorthands(rest[0], options)) if kind == "toggles" else (),
        fields=describe_fields(options, _refer),
    )


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


def _topics(catalog: Catalog) -> list[str]:
    """Every path that can be asked for, sections first."""
    entries = [
        path
        for kind in KINDS
        for name in catalog.names(kind)
        for path in (f"{kind}.{name}", *_fields_below(f"{kind}.{name}", catalog.options(kind, name)))
    ]
    return [*_fields_below("", TrainingJob), *entries]


def _fields_below(path: str, cls: type[Any]) -> Iterator[str]:
    for field in fields_of(cls):
        below = f"{path}.{field.name}" if path else field.name
        yield below
        for inner in _structs(field.type):
            yield from _fields_below(below, inner)


def _unknown(topic: str, catalog: Catalog) -> Diagnostic:
    topics = list(dict.fromkeys(_topics(catalog)))
    same = [path for path in topics if path.endswith(f".{topic}")]
    if same:
        more = f" and {len(same) - _MAX_NAMED} more" if len(same) > _MAX_NAMED else ""
        remedy = f"say which: {', '.join(f'`{path}`' for path in same[:_MAX_NAMED])}{more}"
    elif meant := _meant(topic, topics):
        remedy = f"did you mean `{meant}`?"
    else:
        remedy = "begin with `recplat explain spec`, and go down from there"
    message = f"`{topic}` is neither a diagnostic's code, nor a field, nor one entry of the catalog"
    return Diagnostic("topic-unknown", message, help=remedy)


def _meant(topic: str, topics: list[str]) -> str | None:
    """The nearest code or path; of a path whose beginning is right, the nearest of what follows it."""
    around, _, last = topic.rpartition(".")
    beside = {path.rpartition(".")[2]: path for path in topics if path.rpartition(".")[0].endswith(around)}
    if around and (close := nearest(last, beside)):
        return beside[close]
    names = (path.rpartition(".")[2] for path in topics)
    return nearest(topic, [*known_codes(), *(path.removeprefix("spec.") for path in topics), *names])
