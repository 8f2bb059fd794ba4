"""What every command prints in the same way."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recplat.diagnostics import Diagnostic, Problems

_FORMAT = "recplat.output"


def output_format(ctx: click.Context) -> str:
    """What `-o` says in this call, `text` by default."""
    return str(ctx.find_root().meta.get(_FORMAT, "text"))


def remember_output_format(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """A callback of `-o`, so that faults come out in the same form as results."""
    ctx.find_root().meta[_FORMAT] = value
    return value


def use_color(stream: TextIO) -> bool:
    """Whether colours may be written there: to a terminal that has not said no."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_problems(problems: Problems, output: str) -> None:
    """The faults of an exception; see `print_diagnostics`."""
    print_diagnostics(problems.diagnostics, problems.sources, output)


def print_diagnostics(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], output: str) -> None:
    """Diagnostics as text to standard error, or as a JSON list to standard output with `-o json`.

    Args:
        sources: texts of files by their names in the diagnostics; others are read from disk.
    """
    from recplat.diagnostics import render_json, render_text

    if output == "json":
        click.echo(render_json(diagnostics))
        return
    text = render_text(
        diagnostics, color=use_color(sys.stderr), read_source=lambda file: sources.get(file) or _read(file)
    )
    click.echo(text, err=True)


def print_json(value: object) -> None:
    """One JSON value to standard output; undefined numbers are null."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _read(file: str) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
