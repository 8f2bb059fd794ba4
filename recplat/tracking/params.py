"""The normal form as MLflow parameters: one for each field, named by its path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

MAX_VALUE = 6000  # characters; `mlflow.utils.validation.MAX_PARAM_VAL_LENGTH` of MLflow 3
MAX_KEY = 250
#: Above this, features and tables are one parameter each instead of one for each field.
MAX_PARAMS = 2000

_REFUSED = re.compile(r"[^/\w.\- :]")
_LEFT_OUT = ("apiVersion", "kind")


def flatten(normal_form: Mapping[str, Any]) -> dict[str, str]:
    """Values by path, such as `spec.features.user_id.dim`; items of named lists by their name, other lists as JSON."""
    return dict(_leaves(normal_form, ""))


def to_params(normal_form: Mapping[str, Any]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Parameters within MLflow's limits, and the paths whose values had to be cut; the artifact has the whole."""
    spec = {key: value for key, value in normal_form.items() if key not in _LEFT_OUT}
    fields = flatten(spec)
    if len(fields) > MAX_PARAMS:
        whole = {f"spec.{name}": _text(spec["spec"][name]) for name in ("features", "tables")}
        fields = {
            path: value for path, value in fields.items() if not path.startswith(("spec.features.", "spec.tables."))
        } | whole
    params: dict[str, str] = {}
    cut = []
    for path, value in fields.items():
        params[key_for(path)] = shorten(value)
        if len(value) > MAX_VALUE:
            cut.append(path)
    return params, tuple(cut)


def key_for(path: str) -> str:
    """A name that MLflow accepts for parameters, metrics and tags."""
    # MLflow joins names to paths: none may begin with `/` or hold `..`.
    key = _REFUSED.sub("_", path).replace("..", "__").strip("/ ") or "_"
    return key if len(key) <= MAX_KEY else f"{key[: MAX_KEY - 1]}_"


def shorten(value: str, limit: int = MAX_VALUE) -> str:
    """The value, cut with a mark where it is longer than MLflow takes."""
    if len(value) <= limit:
        return value
    mark = f"… (cut, {len(value)} characters)"
    return value[: limit - len(mark)] + mark


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif _is_named_list(value):
        for item in value:
            rest = {key: field for key, field in item.items() if key != "name"}
            yield from _leaves(rest, f"{path}.{item['name']}")
    else:
        yield path, _text(value)


def _is_named_list(value: Any) -> bool:
    return bool(
        isinstance(value, list | tuple)
        and value
        and all(isinstance(item, Mapping) and isinstance(item.get("name"), str) and len(item) > 1 for item in value)
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
