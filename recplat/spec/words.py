"""How values, lists of names and descriptions read in a sentence."""

import re
from collections.abc import Sequence as Many
from typing import Any

from recplat.diagnostics import Edit, Location
from recplat.document import Mapping, Node, Scalar, Substituted, join_path

#: What a catalog kind is called in a sentence.
KIND_WORDS = {
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

#: Types of JSON Schema.
TYPE_WORDS = {
    "object": "a map",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
}
_MAX_SHOWN = 60


def quoted(names: Many[str]) -> list[str]:
    return [f"`{name}`" for name in names]


def listed(items: Many[str], last: str) -> str:
    """`a, b or c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def counted(number: int, unit: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


def describe(node: Node) -> str:
    """What stands there, with its article."""
    if isinstance(node, Mapping):
        return "a map"
    if not isinstance(node, Scalar):
        return "a list"
    if node.value is None:
        return "empty"
    if node.value == "":
        return "an empty text"
    if isinstance(node.value, bool):
        return f"`{node.text}`"
    kind = {int: "the number", float: "the number", str: "the text"}[type(node.value)]
    origin = f", which `{short(node.written)}` gives" if isinstance(node, Substituted) else ""
    return f"{kind} `{short(node.text)}`{origin}"


def short(text: str) -> str:
    """Enough of a text to find it by; whoever writes a megabyte need not get it back."""
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def show(value: Any) -> str:
    """A value as one writes it in a flow of YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(show(item) for item in value)}]"
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value)
    # What would not come back as the same text stands in quotes.
    return f'"{text}"' if isinstance(value, str) and re.search(r"^[^\w./]|[:#,\[\]{}]|^\.?\d|^$|>|<", text) else text


def about(key: str, schema: dict[str, Any]) -> str:
    """What a field says of itself, to follow a remedy; empty for one that says nothing."""
    text = str(schema.get("description", ""))
    return f". `{key}`: {text}" if text else ""


def for_instance(schema: dict[str, Any]) -> str:
    """An example of a field, to follow what to write; empty where it has none."""
    examples = schema.get("examples") or []
    return f", for instance `{show(examples[0])}`" if examples else ""


def join_key(path: str, key: str) -> str:
    """The path of a field of what stands at `path`."""
    return f"{path}.{join_path([key])}" if path else join_path([key])


def edit(location: Location, text: str) -> Edit:
    return Edit(location.file, location.line, location.column, location.end_line, location.end_column, text)
