"""`recplat completion`: the script that a shell reads to complete commands and options."""

from __future__ import annotations

import os
from pathlib import PurePath

import click

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog='Example: recplat completion bash >> ~/.bashrc\n\nWithout SHELL it goes by "$SHELL".')
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def command(shell: str | None) -> None:
    """Print the completion script of a shell, to be read when the shell starts."""
    from click.shell_completion import get_completion_class

    from recplat.cli import cli

    shell = shell or PurePath(os.environ.get("SHELL", "")).name
    script = get_completion_class(shell) if shell in SHELLS else None
    if script is None:
        raise click.UsageError(f"Say which shell: {', '.join(SHELLS)}.")
    click.echo(script(cli, {}, "recplat", "_RECPLAT_COMPLETE").source())
