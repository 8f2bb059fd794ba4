"""The schemas say what a person needs to know of every field, and say it validly."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from recplat.catalog import builtin_catalog
from recplat.spec.schema import Form, document_schema

AUTHORING = document_schema(builtin_catalog(), "authoring")
NORMAL = document_schema(builtin_catalog(), "normal")
SCHEMAS = [pytest.param(AUTHORING, id="authoring"), pytest.param(NORMAL, id="normal")]


def _properties(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property that some document may have, with its path in the schema; not what only chooses a branch."""
    if isinstance(schema, list):
        for index, inner in enumerate(schema):
            yield from _properties(inner, f"{path}.{index}")
    elif isinstance(schema, dict):
        for name, inner in schema.get("properties", {}).items():
            yield f"{path}.{name}", inner
        for key, inner in schema.items():
            if key not in ("if", "dependentSchemas", "examples", "default"):
                yield from _properties(inner, f"{path}.{key}")


def _keywords(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
        for key, inner in schema.items():
            if key != "examples":
                yield from _keywords(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _keywords(inner)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_it_is_valid(schema: dict[str, Any]):
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_property_has_a_description_and_an_example(schema: dict[str, Any]):
    found = list(_properties(schema))
    assert len(found) > 150
    assert [path for path, inner in found if not str(inner.get("description", "")).strip()] == []
    assert [path for path, inner in found if not inner.get("examples")] == []


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_example_and_default_is_right(schema: dict[str, Any]):
    for path, inner in _properties(schema):
        validator = Draft202012Validator({**inner, "$defs": schema["$defs"]})
        values = [*inner["examples"], *([inner["default"]] if "default" in inner else [])]
        if schema is NORMAL:
            # Written by people, so some leave out what the normal form writes out.
            values = [value for value in values if not isinstance(value, dict | list)]
        for value in values:
            assert list(validator.iter_errors(value)) == [], (path, value)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_union_is_chosen_by_its_tag(schema: dict[str, Any]):
    # With `anyOf` an editor would show the faults of every branch, not of the one that was meant.
    assert {"anyOf", "oneOf"}.isdisjoint(_keywords(schema))


@pytest.mark.parametrize("form", ["authoring", "normal"])
def test_it_is_the_same_every_time(form: Form):
    assert document_schema(builtin_catalog(), form) == document_schema(builtin_catalog(), form)


def test_the_normal_form_has_no_shorthands():
    properties = NORMAL["$defs"]["features.categorical"]["properties"]
    assert "dim" not in properties
    assert properties["transform"]["type"] == "array"
    assert NORMAL["$defs"]["Resources"]["properties"].keys().isdisjoint({"procs_per_node"})
    assert "variable" not in NORMAL["$defs"]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_patterns_are_such_as_every_reader_knows(schema: dict[str, Any]):
    # Kubernetes compiles them as RE2, editors as ECMAScript.
    patterns = set(_patterns(schema))
    assert len(patterns) >= 3
    assert [pattern for pattern in patterns if "(?" in pattern or r"\Z" in pattern] == []


def _patterns(schema: Any) -> Iterator[str]:
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _patterns(inner)
    if isinstance(schema, dict) and isinstance(schema.get("pattern"), str):
        yield schema["pattern"]
