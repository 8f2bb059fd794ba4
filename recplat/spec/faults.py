"""Turns structural faults into diagnostics: what was meant, where it stands, what to write instead."""

from collections.abc import Callable, Iterator
from typing import Any

from recplat.diagnostics import Diagnostic, Edit, Fix, Location, nearest
from recplat.document import Mapping, Node, Scalar
from recplat.spec.find import find, path_of
from recplat.spec.known_fields import homes_of, refused_reason
from recplat.spec.validate import StructuralFault

_KIND_WORDS = {
    "features": "feature type",
    "transforms": "transform",
    "models": "model",
    "metrics": "metric",
    "schedules": "schedule",
    "dense_optimizers": "dense optimiser",
    "embedding_optimizers": "embedding optimiser",
    "initializers": "initializer",
    "sharding": "sharding type",
    "toggles": "toggle",
}

_TYPE_WORDS = {
    "object": "a map of fields",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


def to_diagnostics(fault: StructuralFault, root: Node) -> Iterator[Diagnostic]:
    """One diagnostic for most faults; for unknown or missing fields one each."""
    steps = fault.steps
    node, location = find(root, steps)
    path = path_of(root, steps)
    handler = _HANDLERS.get(fault.keyword, _other)
    yield from handler(fault, node, location, path)


Handler = Callable[[StructuralFault, Node, Location, str], Iterator[Diagnostic]]


def _unknown_fields(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    assert isinstance(node, Mapping)
    known = list(fault.schema["properties"])
    for key, entry in node.entries.items():
        if key not in known:
            yield _unknown_field(key, entry.location, path, known, fault.schema)


def _unknown_field(key: str, location: Location, path: str, known: list[str], schema: Any) -> Diagnostic:
    what = f"`{path}` has no field `{key}`" if path else f"a spec has no field `{key}`"
    reason = refused_reason(schema, key)
    if reason:
        return Diagnostic(
            "refused-field",
            f"`{key}` would do nothing in `{path}`",
            help=reason,
            path=f"{path}.{key}",
            location=location,
        )
    close = nearest(key, known)
    fix = None
    if close:
        help_text = f"did you mean `{close}`?"
        fix = Fix(f"rename `{key}` to `{close}`", (_edit(location, close),))
    elif homes := homes_of(key):
        help_text = f"`{key}` belongs in {_words([f'`{home}`' for home in homes[:3]], 'or')}"
    else:
        help_text = f"fields here: {', '.join(known)}"
    return Diagnostic("unknown-field", what, help=help_text, path=_join(path, key), location=location, fix=fix)


def _missing_fields(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    assert isinstance(node, Mapping)
    # jsonschema reports each missing field apart; the field stands in the message only.
    for key in fault.rule:
        if key not in node.entries and fault.message.startswith(repr(key)):
            field = fault.schema["properties"].get(key, {})
            text = str(field.get("description", "")).rstrip(".")
            example = _example(key, field)
            yield Diagnostic(
                "missing-field",
                f"`{path}` lacks `{key}`" if path else f"the spec lacks `{key}`",
                help=(f"add `{example}`" if example else f"add `{key}`") + (f": {_lower_first(text)}" if text else ""),
                path=_join(path, key),
                location=location,
            )


def _wrong_type(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    wanted = fault.rule
    words = _TYPE_WORDS.get(wanted, str(wanted))
    found = _describe(node)
    fix = None
    if isinstance(node, Scalar) and node.value is None:
        help_text = f"write {words}, or remove the line"
    elif wanted == "string" and isinstance(node, Scalar) and node.plain:
        help_text = f'put it in quotes: "{node.text}"'
        fix = Fix("put it in quotes", (_edit(location, f'"{node.text}"'),))
    elif wanted in ("integer", "number") and _looks_like_number(node):
        help_text = "remove the quotes"
    elif wanted == "integer" and isinstance(node, Scalar) and isinstance(node.value, float):
        help_text = f"write a whole number, such as {round(node.value)}"
    else:
        example = (fault.schema.get("examples") or [None])[0]
        help_text = f"write {words}" + (f", for instance `{example}`" if example is not None else "")
    yield Diagnostic(
        "wrong-type", f"`{path}` must be {words}, not {found}", help=help_text, path=path, location=location, fix=fix
    )


def _unknown_value(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    allowed = fault.rule if fault.keyword == "enum" else [fault.rule]
    names = [_show(value) for value in allowed]
    text = node.text if isinstance(node, Scalar) else _describe(node)
    close = nearest(text, names) if isinstance(node, Scalar) else None
    listed = f"`{path}` takes {_words([f'`{name}`' for name in names], 'or')}"
    fix = Fix(f"write `{close}`", (_edit(location, close),)) if close else None
    yield Diagnostic(
        "unknown-value",
        f"`{path}` can't be `{text}`" if isinstance(node, Scalar) else f"`{path}` can't be {text}",
        help=f"did you mean `{close}`? {listed}" if close else listed,
        path=path,
        location=location,
        fix=fix,
    )


def _unknown_type(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    rule = fault.rule
    tag, names = rule["tag"], rule["names"]
    word = _KIND_WORDS.get(rule["kind"], f"`{tag}`")
    listed = _words([f"`{name}`" for name in names], "or")
    if not isinstance(node, Mapping):
        yield Diagnostic(
            "wrong-type",
            f"`{path}` must be a map with `{tag}`, not {_describe(node)}",
            help=f"write `{tag}:` and one of {listed}",
            path=path,
            location=location,
        )
        return
    entry = node.entries.get(tag)
    if entry is None:
        yield Diagnostic(
            "missing-field",
            f"`{path}` lacks `{tag}`",
            help=f"add `{tag}:` and one of {listed}",
            path=_join(path, tag),
            location=location,
        )
        return
    text = entry.node.text if isinstance(entry.node, Scalar) else _describe(entry.node)
    close = nearest(text, names)
    where = path if entry.node is node or entry.location == entry.node.location else f"{path}.{tag}"
    yield Diagnostic(
        "unknown-type",
        f"there is no {word} `{text}`",
        help=f"did you mean `{close}`? Known: {', '.join(names)}" if close else f"known: {', '.join(names)}",
        path=where,
        location=entry.node.location,
        fix=Fix(f"write `{close}`", (_edit(entry.node.location, close),)) if close else None,
    )


_COMPARISONS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "greater than {}",
    "exclusiveMaximum": "less than {}",
}


def _out_of_range(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    bound = _COMPARISONS[fault.keyword].format(fault.rule)
    text = str(fault.schema.get("description", "")).rstrip(".")
    yield Diagnostic(
        "out-of-range",
        f"`{path}` must be {bound}, not {fault.instance}",
        help=f"write a value that is {bound}" + (f"; it says: {_lower_first(text)}" if text else ""),
        path=path,
        location=location,
    )


def _bad_format(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    examples = fault.schema.get("examples") or []
    text = str(fault.schema.get("description", "")).rstrip(".")
    example = f"for instance `{examples[0]}`" if examples else f"it must match `{fault.rule}`"
    yield Diagnostic(
        "bad-format",
        f"`{path}` can't be `{fault.instance}`",
        help=f"{text}; {example}" if text else example,
        path=path,
        location=location,
    )


def _wrong_length(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    least = fault.keyword.startswith("min")
    unit = "items" if fault.keyword.endswith("Items") else "characters"
    bound = f"at {'least' if least else 'most'} {fault.rule} {unit}"
    found = f"{len(fault.instance)}"
    yield Diagnostic(
        "wrong-length",
        f"`{path}` must have {bound}, not {found}",
        path=path,
        location=location,
        help=f"write {bound}" + (f": {_lower_first(d)}" if (d := _description(fault)) else ""),
    )


def _other(fault: StructuralFault, node: Node, location: Location, path: str) -> Iterator[Diagnostic]:
    raise AssertionError(f"no words for the fault {fault.keyword!r} at {path}")


_HANDLERS: dict[str, Handler] = {
    "additionalProperties": _unknown_fields,
    "required": _missing_fields,
    "type": _wrong_type,
    "enum": _unknown_value,
    "const": _unknown_value,
    "x-union": _unknown_type,
    "pattern": _bad_format,
    "minLength": _wrong_length,
    "maxLength": _wrong_length,
    "minItems": _wrong_length,
    "maxItems": _wrong_length,
    **dict.fromkeys(_COMPARISONS, _out_of_range),
}


def _description(fault: StructuralFault) -> str:
    return str(fault.schema.get("description", "")).rstrip(".")


def _describe(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a map of fields"
    if not isinstance(node, Scalar):
        return "a list"
    if node.value is None:
        return "empty"
    kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[type(node.value)]
    return f"{kind} (`{node.text}`)" if node.text else "an empty text"


def _looks_like_number(node: Node) -> bool:
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.plain:
        return False
    try:
        float(node.value)
    except ValueError:
        return False
    return True


def _example(key: str, schema: Any) -> str:
    examples = schema.get("examples") or []
    return f"{key}: {_show(examples[0])}" if examples and not isinstance(examples[0], dict) else ""


def _show(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _words(items: list[str], last: str) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _edit(location: Location, text: str) -> Edit:
    return Edit(location.file, location.line, location.column, location.end_line, location.end_column, text)
