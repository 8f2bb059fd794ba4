"""Options that say how a text file is read, where no spec does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def text_file_options(command: Command) -> Command:
    """`--delimiter` and `--no-header`."""
    delimiter = click.option(
        "--delimiter",
        callback=lambda context, parameter, value: "\t" if value == "\\t" else value,
        help="Character between values of a text file; \\t is a tab.",
    )
    no_header = click.option("--no-header", is_flag=True, help="The first line of a text file is a row.")
    return delimiter(no_header(command))
