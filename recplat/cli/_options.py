"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from recplat.cli._output import remember_output_format

Command = TypeVar("Command", bound=Callable[..., Any])

spec_argument = click.argument("spec", type=click.Path(dir_okay=False))

overlay_option = click.option(
    "-f",
    "--overlay",
    "overlays",
    multiple=True,
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Merge this file over the spec; may be given several times.",
)

set_option = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="PATH=VALUE",
    help="Set one field, such as spec.train.epochs=3; may be given several times.",
)

verbose_option = click.option("--verbose", is_flag=True, help="Show tracebacks and details.")


def spec_options(command: Command) -> Command:
    """The argument SPEC with `-f` and `--set`."""
    return spec_argument(overlay_option(set_option(command)))


def output_option(*formats: str) -> Callable[[Command], Command]:
    """`-o`, `text` and `json` by default."""
    return click.option(
        "-o",
        "--output",
        type=click.Choice(formats or ("text", "json")),
        default="text",
        show_default=True,
        callback=remember_output_format,
        help="Form of results and faults.",
    )
