"""Options that people try and that are fields of the spec: `--epochs 3` is `--set spec.train.epochs=3`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

#: Sections by how likely their field is meant where two have one of that name.
_SECTIONS = ("train", "model", "resources", "evaluate", "tracking", "data")


def with_field(error: click.NoSuchOption, arguments: Sequence[str]) -> click.NoSuchOption:
    """The error with what `--set` would say, where the command knows that and there is such a field.

    Args:
        arguments: those of the whole command line, which hold the option and perhaps its value.
    """
    command = error.ctx.command if error.ctx is not None else None
    if command is None or not any(parameter.name == "sets" for parameter in command.params):
        return error
    path = next(_paths(error.option_name.lstrip("-").replace("-", "_")), None)
    if path is None:
        return error
    message = f"{error.message} Did you mean `--set {path}={_value(error.option_name, arguments)}`?"
    return click.NoSuchOption(error.option_name, message, error.possibilities, error.ctx)


def _paths(field: str) -> Iterator[str]:
    """Places of a field of that name, the likeliest first."""
    from typing import get_type_hints

    from recplat.spec.types import Spec

    sections = get_type_hints(Spec)
    for section in _SECTIONS:
        if field in getattr(sections[section], "__struct_fields__", ()):
            yield f"spec.{section}.{field}"


def _value(option: str, arguments: Sequence[str]) -> str:
    for index, argument in enumerate(arguments):
        name, is_given, value = argument.partition("=")
        if name == option:
            following = arguments[index + 1] if index + 1 < len(arguments) else "-"
            return value if is_given else "VALUE" if following.startswith("-") else following
    return "VALUE"
