"""Documents of the authoring form, made up from the types: right ones, and right ones with something changed."""

from typing import Any

import msgspec.inspect as inspect
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from recplat.catalog import builtin_catalog
from recplat.lang.fields import BYTES_PATTERN, DURATION_PATTERN, NAME_PATTERN
from recplat.spec.typeinfo import FieldInfo, catalog_kind, custom_class, fields_of, struct_info, union_members, unwrap
from recplat.spec.types import Toggles, TrainingJob

_CATALOG = builtin_catalog()
_NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,12}", fullmatch=True)
#: No `$`: what `${` begins depends on the environment.
_TEXTS = st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="$"), min_size=1, max_size=12)
_PATTERNS: dict[str, SearchStrategy[str]] = {
    NAME_PATTERN: _NAMES,
    BYTES_PATTERN: st.sampled_from(["32GiB", "1.5MiB", "1B"]),
    DURATION_PATTERN: st.sampled_from(["6h", "1.5m", "90s", "3d", "100ms"]),
}
#: `extends` and `catalog` name files, which a document made up here does not have.
_LEFT_OUT = {"extends", "catalog"}
_JOB_NAMES = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)


def documents() -> SearchStrategy[dict[str, Any]]:
    """Right ones, as far as structure goes."""
    return _struct(TrainingJob)


def faultless_documents() -> SearchStrategy[dict[str, Any]]:
    """Those that keep the rules too: what the rules are about is left at its default, or the same in all of them."""
    return documents().map(_without_what_rules_are_about)


def _without_what_rules_are_about(document: dict[str, Any]) -> dict[str, Any]:
    spec = {key: value for key, value in document["spec"].items() if key not in ("tables", "optimizations")}
    spec["data"] = {"source": {"path": "../rows.parquet"}, "split": {"by": "random"}, "label": {"column": "label"}}
    kept = ("type", "max_length", "multivalent", "pooling", "keep", "dtype")
    spec["features"] = [
        {"name": f"f{index}", **{key: value for key, value in feature.items() if key in kept}}
        for index, feature in enumerate(document["spec"]["features"])
    ]
    for section, left_out in (("sharding", {"tables"}), ("evaluate", {"metrics", "best", "gates"}), ("train", set())):
        if section in spec:
            spec[section] = {key: value for key, value in spec[section].items() if key not in left_out}
    if isinstance(schedule := spec.get("train", {}).get("schedule"), dict) and "milestones" in schedule:
        schedule["milestones"] = [1000]
    return {**document, "spec": spec}


@st.composite
def changed_documents(draw: DrawFn) -> dict[str, Any]:
    """Documents with one to three places changed."""
    document = draw(documents())
    for _ in range(draw(st.integers(1, 3))):
        document = draw(_changed(document))
    return document


@st.composite
def _struct(draw: DrawFn, cls: type[Any]) -> dict[str, Any]:
    info = struct_info(cls)
    document: dict[str, Any] = {info.tag_field: info.tag} if info.tag_field else {}
    for field in fields_of(cls):
        is_needed = field.is_required and field.marks.keys().isdisjoint(("default", "default_from"))
        if field.name not in _LEFT_OUT and (is_needed or draw(st.integers(0, 3)) == 0):
            old = field.marks.get("renamed_from")
            name = old if old and draw(st.booleans()) else field.name
            document[name] = draw(_field(field))
    return document


def _field(field: FieldInfo) -> SearchStrategy[Any]:
    if field.type == unwrap(struct_info(TrainingJob).fields[0].type)[0]:
        return st.just("recplat.io/v1alpha1")
    values = _value(field.type)
    if field.marks.get("one_or_many") and isinstance(field.type, inspect.VarTupleType):
        values |= _value(unwrap(field.type.item_type)[0])
    if isinstance(field.marks.get("default"), str):
        values |= _options_of_default(field)
    return values | st.none() if field.is_optional else values


def _options_of_default(field: FieldInfo) -> SearchStrategy[Any]:
    """Without their `type`."""
    info = unwrap(field.type.item_type)[0] if isinstance(field.type, inspect.VarTupleType) else field.type
    kind = catalog_kind(custom_class(info))
    assert kind, f"no default for {info}"
    options = _struct(_CATALOG.options(kind, field.marks["default"]))
    return options.map(lambda whole: {key: value for key, value in whole.items() if key != "type"})


def _value(info: inspect.Type) -> SearchStrategy[Any]:
    match info:
        case inspect.StructType():
            return st.deferred(lambda: _struct(info.cls))
        case inspect.CustomType():
            return _custom(info)
        case inspect.UnionType():
            return st.one_of([_value(member) for member in union_members(info)])
        case inspect.VarTupleType():
            items = _value(unwrap(info.item_type)[0])
            return st.lists(items, min_size=info.min_length or 0, max_size=min(info.max_length or 3, 3))
        case inspect.DictType():
            return st.dictionaries(_value(unwrap(info.key_type)[0]), _value(unwrap(info.value_type)[0]), max_size=2)
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.StrType():
            if info.pattern is None:
                return st.just("|") if info.max_length == 1 else _TEXTS
            return _PATTERNS.get(info.pattern, _JOB_NAMES)
        case inspect.IntType():
            least = info.ge if info.ge is not None else 0
            return st.integers(least, min(info.le or 10_000, least + 10_000))
        case inspect.FloatType():
            return _float(info)
    raise AssertionError(f"no values for {info}")


def _float(info: inspect.FloatType) -> SearchStrategy[float | int]:
    least = next((bound for bound in (info.ge, info.gt) if bound is not None), -1e6)
    most = next((bound for bound in (info.le, info.lt) if bound is not None), 1e6)
    return st.floats(
        least,
        most,
        exclude_min=info.gt is not None,
        exclude_max=info.lt is not None,
        allow_subnormal=False,
    )


def _custom(info: inspect.CustomType) -> SearchStrategy[Any]:
    cls = custom_class(info)
    if cls is Toggles:
        return st.fixed_dictionaries({}, optional={name: _toggle(name) for name in _CATALOG.names("toggles")})
    kind = catalog_kind(cls)
    assert kind
    options = [_CATALOG.options(kind, name) for name in _CATALOG.names(kind)]
    bare = [name for name, one in zip(_CATALOG.names(kind), options, strict=True) if _needs_nothing(one)]
    whole = st.one_of([_struct(one) for one in options])
    return st.sampled_from(bare) | whole if bare else whole


def _toggle(name: str) -> SearchStrategy[Any]:
    options = _CATALOG.options("toggles", name)
    values: SearchStrategy[Any] = st.sampled_from(["auto", True, False, None]) | _struct(options)
    shorthand = [field for field in fields_of(options) if field.name == options.shorthand]
    return values | _value(shorthand[0].type) if shorthand else values


def _needs_nothing(options: type[Any]) -> bool:
    return all(
        not field.is_required or not field.marks.keys().isdisjoint(("default", "default_from"))
        for field in fields_of(options)
    )


# --- changes ---

_ODD: list[Any] = [None, True, 0, -1, 3, 1.5, 1e9, "", "text", "2", "auto", [], [1], ["a", "a"], {}, {"type": "auc"}]
_KEYS = ["type", "name", "dim", "mode", "batch-size", "Epochs", "rows", "by", "seed", "path", "x", "procs_per_node"]


@st.composite
def _changed(draw: DrawFn, document: Any) -> Any:
    """The document with one value, somewhere in it, changed."""
    inner = (
        []
        if not isinstance(document, dict | list)
        else list(document if isinstance(document, dict) else range(len(document)))
    )
    if inner and draw(st.integers(0, 5)) > 0:
        key = draw(st.sampled_from(inner))
        copy = dict(document) if isinstance(document, dict) else list(document)
        copy[key] = draw(_changed(document[key]))
        return copy
    return draw(st.one_of(_changes(document)))


def _changes(value: Any) -> list[SearchStrategy[Any]]:
    found: list[SearchStrategy[Any]] = [st.sampled_from(_ODD), st.just([value])]
    if isinstance(value, dict):
        found += [
            st.sampled_from(_KEYS).map(lambda key: {**value, key: 1}),
            st.sampled_from(_KEYS).map(lambda key: {**value, key: "hash"}),
            st.sampled_from([{k: v for k, v in value.items() if k != key} for key in value] or [{}]),
            st.sampled_from([{**value, f"{key}s": value[key]} for key in value] or [{"x": 1}]),
        ]
    if isinstance(value, list):
        found += [st.just(value + value), st.just(value[:-1])]
    if isinstance(value, str):
        found += [st.just(value.upper()), st.just(value + " "), st.just(f"{value}\n"), st.just(value * 40)]
    if isinstance(value, int | float) and not isinstance(value, bool):
        found += [st.just(-value), st.just(value * 1e6), st.just(str(value)), st.just(value + 0.5)]
    return found
