"""From a plain normal form to typed values, and back.

`msgspec.convert` stops at its first fault; it is used on values that are right, or to learn that they are not.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from recplat.catalog import Catalog
from recplat.spec.typeinfo import catalog_kind
from recplat.spec.types import Toggles, TrainingJob

T = TypeVar("T")


def convert(plain: Any, cls: type[T], catalog: Catalog) -> T:
    """A typed value from plain dicts, lists and scalars in normal form.

    Raises:
        msgspec.ValidationError: the first fault, with a path such as `$.spec.features[3].dim`.
    """

    def hook(wanted: type[Any], value: Any) -> Any:
        if wanted is Toggles:
            return Toggles({name: one("toggles", name, item) for name, item in _items(value)})
        kind = catalog_kind(wanted)
        assert kind, f"no catalog kind for {wanted}"
        return one(kind, value.get("type") if isinstance(value, Mapping) else None, value)

    def one(kind: str, name: Any, value: Any) -> Any:
        if not isinstance(name, str) or not catalog.has(kind, name):
            raise msgspec.ValidationError(f"Unknown {kind} `{name}`")
        return msgspec.convert(value, catalog.options(kind, name), dec_hook=hook)

    return msgspec.convert(plain, cls, dec_hook=hook)


def to_plain(value: Any) -> Any:
    """Plain dicts, lists and scalars; what is not given (None) is left out, so the result is a normal form."""
    return _without_none(msgspec.to_builtins(value, enc_hook=dict))


def build_job(plain: Any, catalog: Catalog) -> TrainingJob:
    """A typed job from a plain normal form; see `convert`."""
    return convert(plain, TrainingJob, catalog)


def _items(value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        raise msgspec.ValidationError("Expected `object`")
    return list(value.items())


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in value]
    return value
