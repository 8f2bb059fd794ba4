"""Shapes of JSON Schema that the generator uses again and again, and the names of its definitions."""

from typing import Any

Schema = dict[str, Any]

#: Where the environment gives the value: `rows: ${ROWS}`. The definition is called `variable`; without a description,
#: since editors would show it beside the field's own.
VARIABLE: Schema = {"type": "string", "pattern": r"^\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\}$"}
_NOT_TEXT = frozenset({"integer", "number", "boolean"})


def if_then(tag_field: str, branches: dict[str, Schema], *, tag: Schema, default: str | None = None) -> Schema:
    """An object whose `tag_field` picks the branch.

    Args:
        tag: the schema of that field.
        default: the branch of an object without that field; where there is none, it needs one.
    """
    needed: Schema = {"required": [tag_field]}
    return {
        "type": "object",
        **({} if default else needed),
        "properties": {tag_field: tag},
        "allOf": [
            {
                "if": {"properties": {tag_field: {"const": name}}, **({} if name == default else needed)},
                "then": branch,
            }
            for name, branch in branches.items()
        ],
    }


def list_or(many: Schema, one: Schema) -> Schema:
    return {"if": {"type": "array"}, "then": many, "else": one}


def or_variable(schema: Schema) -> Schema:
    """The schema of a value that a variable may give, where it would not take the variable's text itself."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if "enum" in schema or not _NOT_TEXT.isdisjoint(types):
        return unless_variable(schema)
    if "string" in types and "pattern" in schema:
        return {"if": {"type": "string", "pattern": r"\$\{"}, "else": schema}
    return schema


def unless_variable(schema: Schema) -> Schema:
    return {"if": {"$ref": "#/$defs/variable"}, "else": schema}


def or_null(schema: Schema) -> Schema:
    """For a key with nothing behind it, which says as much as no key."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if isinstance(schema.get("type"), str) and "allOf" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"if": {"type": "null"}, "else": schema}


def drop_none(**keywords: Any) -> Schema:
    return {key: value for key, value in keywords.items() if value is not None}


def definition_name(cls: type[Any]) -> str:
    """`Table`, or `models.dlrm` for a catalog folder."""
    parts = cls.__module__.split(".")
    return f"{parts[-3]}.{parts[-2]}" if parts[-1] == "options" else cls.__name__


def first_line(cls: type[Any]) -> str:
    """What a class says of itself, in short."""
    return (cls.__doc__ or "").strip().split("\n")[0]
