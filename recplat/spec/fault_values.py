"""Words for values of a wrong type, out of range, in a wrong form, or not among those that a field takes."""

import re
from collections.abc import Iterator

from recplat.diagnostics import Diagnostic, Fix, nearest
from recplat.document import Mapping, Scalar, Substituted
from recplat.spec.find import find
from recplat.spec.make_nodes import BareMapping
from recplat.spec.schema_shapes import Schema
from recplat.spec.site import Site
from recplat.spec.synonyms import VALUES
from recplat.spec.words import (
    TYPE_WORDS,
    about,
    describe,
    edit,
    for_instance,
    listed,
    quoted,
    short,
    show,
)

_NUMBER = re.compile(r"[-+]?[0-9][0-9_,' ]*(\.[0-9]*)?([eE][-+]?[0-9]+)?")
_THOUSANDS = re.compile(r"([0-9.]+)\s*([kKmM])")
_MAX_TELLING = 100_000  # a bound beyond it is a matter of machines, not of what a person means
_TRUE, _FALSE = ("yes", "on", "y", "true"), ("no", "off", "n", "false")


def wrong_type(site: Site) -> Iterator[Diagnostic]:
    wanted = site.fault.rule
    types = [wanted] if isinstance(wanted, str) else wanted
    words = listed([TYPE_WORDS[name] for name in types], "or")
    node = site.node
    key = str(site.fault.steps[-1]) if site.fault.steps else ""
    if isinstance(node, Scalar) and node.value is None:
        yield from site.wrong_type(words, _remedy_for_nothing(site, words))
        return
    fix = None
    remedy = None
    if isinstance(node, Scalar):
        remedy, fix = _remedy_for_scalar(site, node, types)
    elif types == ["array"] and isinstance(node, Mapping):
        remedy = _remedy_for_map(site, node)
    elif types != ["array"] and not isinstance(node, Mapping) and len(node.items) == 1:
        remedy = "it takes one value, not a list: remove the dash or the brackets"
    yield from site.wrong_type(
        words, remedy or f"write {words}{for_instance(site.fault.schema)}" + about(key, site.fault.schema), fix
    )


def _remedy_for_nothing(site: Site, words: str) -> str:
    schema = site.fault.schema
    if "x-default" in schema:
        default = schema["x-default"]
        shown = f": the default is {show(default)}" if isinstance(default, str | int | float) else ""
        return f"write {words}{for_instance(site.fault.schema)}, or remove the line{shown}"
    return f"write {words}{for_instance(site.fault.schema)}"


def _remedy_for_scalar(site: Site, node: Scalar, types: list[str]) -> tuple[str | None, Fix | None]:
    written: str | None = None  # what to write in its place
    if isinstance(node, Substituted):
        return _remedy_for_variable(node, types), None
    if "string" in types and node.plain:
        return _in_quotes(site, node)
    if not isinstance(node.value, str):
        if types == ["integer"] and isinstance(node.value, float):
            return f"write a whole number, such as {round(node.value)}", None
        return (f"write a list: `[{node.text}]`", None) if types == ["array"] else (None, None)
    if types == ["array"]:
        is_list = node.value.startswith("[") and node.value.endswith("]")
        return "remove the quotes" if is_list else f"write a list: `{_as_list(node.value)}`", None
    if types == ["object"]:
        return _as_map(site, node), None
    if types == ["boolean"] and node.value.lower() in (*_TRUE, *_FALSE):
        written = "true" if node.value.lower() in _TRUE else "false"
    elif "integer" in types or "number" in types:
        written = _as_number(node.value)
    if written is None:
        return None, None
    if not node.plain and written == node.value and node.location.end_line == node.location.line:
        return "remove the quotes", Fix(f"write {written}", (edit(node.location, written),))
    return f"write `{written}`", None


def _remedy_for_variable(node: Substituted, types: list[str]) -> str:
    words = listed([TYPE_WORDS[name] for name in types], "or")
    if "string" not in types and _as_number(node.text) == node.text:
        return f"write `{node.written}` without quotes, so that its value can be {words}"
    return f"the environment gives the value: set the variable to {words}"


def _in_quotes(site: Site, node: Scalar) -> tuple[str | None, Fix | None]:
    looks, pattern = site.fault.schema.get("x-looks-like"), site.fault.schema.get("pattern")
    if looks and not (pattern and re.search(pattern, node.text)):
        return f"write {looks}{for_instance(site.fault.schema)}", None
    quoted_text = f'"{node.text}"'
    return f"put it in quotes: `{quoted_text}`", Fix("put it in quotes", (edit(node.location, quoted_text),))


def _as_number(text: str) -> str | None:
    if _NUMBER.fullmatch(text.strip()):
        digits = re.sub(r"[_,' ]", "", text)
        return digits.lstrip("0") or "0" if digits.isdigit() else digits
    if found := _THOUSANDS.fullmatch(text.strip()):
        return f"{float(found[1]) * (1e3 if found[2] in 'kK' else 1e6):.0f}"
    return None


def _as_list(text: str) -> str:
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    if len(parts) > 1 and (all(_NUMBER.fullmatch(part) for part in parts) or "," in text):
        return f"[{', '.join(parts)}]"
    return show([text])


def _as_map(site: Site, node: Scalar) -> str | None:
    """`source: x.csv` -> `{path: x.csv}`: the one text that the map needs."""
    cls = site.fault.schema.get("x-class")
    required = site.fault.schema.get("required", [])
    if cls is None or len(required) != 1 or site.fault.schema["properties"][required[0]].get("type") != "string":
        return None
    return f"write `{{{required[0]}: {show(node.value)}}}`"


def _remedy_for_map(site: Site, node: Mapping) -> str | None:
    names = list(node.entries)
    if not names or not all(isinstance(entry.node, Mapping) for entry in node.entries.values()):
        return None
    return f"write a list, its items beginning with a dash: `- {{name: {names[0]}, …}}`"


def unknown_value(site: Site) -> Iterator[Diagnostic]:
    allowed = site.fault.rule if site.fault.keyword == "enum" else [site.fault.rule]
    names = [show(value) for value in allowed]
    key = str(site.fault.steps[-1]) if site.fault.steps else ""
    path, node = site.path, site.node
    if isinstance(find(site.root, site.fault.steps[:-1])[0], BareMapping):
        key = str(site.fault.steps[-2])
        names = [*(name for name in names if name not in ("enabled", "disabled")), "true", "false"]
        names = list(dict.fromkeys(["auto", *names]))
    text = node.text if isinstance(node, Scalar) else describe(node)
    choice = f"`{key}` takes {listed(quoted(names), 'or')}"
    close, fix = None, None
    if isinstance(node, Scalar):
        meant = VALUES.get(text.lower())
        close = meant if meant in names else nearest(text, names)
        if close and meant is None and len(text) > 3:
            fix = Fix(f"write `{close}`", (edit(site.location, close),))
    shown = f"`{short(text)}`" if isinstance(node, Scalar) and text else text or "empty"
    yield Diagnostic(
        "unknown-value",
        f"`{path}` can't be {shown}",
        help=f"did you mean `{close}`? {choice}" if close else choice,
        path=path,
        location=site.location,
        fix=fix,
    )


def out_of_range(site: Site) -> Iterator[Diagnostic]:
    schema = site.fault.schema
    node = site.node
    text = node.text if isinstance(node, Scalar) and node.text else site.fault.instance
    yield Diagnostic(
        "out-of-range",
        f"`{site.path}` must be {_bounds(schema, site.fault.keyword)}, not {text}",
        help=f"write {TYPE_WORDS[schema.get('type', 'number')]}{for_instance(schema)}"
        + about(str(site.fault.steps[-1]), schema),
        path=site.path,
        location=site.location,
    )


def _bounds(schema: Schema, broken: str) -> str:
    """`at least 0 and less than 1`: the bound that is broken, and the other one where it tells something."""
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "more than",
        "maximum": "at most",
        "exclusiveMaximum": "less than",
    }
    keys = [key for key in words if key in schema and (key == broken or abs(schema[key]) <= _MAX_TELLING)]
    parts = [f"{words[key]} {_amount(schema[key])}" for key in keys]
    return listed(parts, "and")


def _amount(bound: float) -> str:
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"


def not_finite(site: Site) -> Iterator[Diagnostic]:
    assert isinstance(site.node, Scalar)
    yield Diagnostic(
        "not-finite",
        f"`{site.path}` can't be `{site.node.text}`: a number must be finite",
        help="write a number; to leave the field at its default, remove it",
        path=site.path,
        location=site.location,
    )
