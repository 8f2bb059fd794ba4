"""`recplat migrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recplat.cli import EXIT_FAULT
from recplat.cli._options import output_option

if TYPE_CHECKING:
    from recplat.spec.migrate import Migration


@click.command(epilog="Example: recplat migrate specs/*.yaml --write")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path())
@click.option("--write", "is_written", is_flag=True, help="Change the files, all of them or none.")
@click.option("--check", is_flag=True, help="Exit with 1 when a file is not up to date.")
@output_option()
@click.pass_context
def command(ctx: click.Context, specs: tuple[str, ...], is_written: bool, check: bool, output: str) -> None:
    """Show what specs of an older apiVersion, or with fields that have a new name, become in today's language.

    Prints a diff of each spec and of the files that it extends; --write changes them. Comments and layout stay. A spec
    that would still be at fault is left alone, and its faults are shown.
    """
    from recplat.spec.migrate import migrate, write

    found = {migration.path.resolve(): migration for spec in specs for migration in migrate(spec)}
    changed = [migration for migration in found.values() if migration.is_changed]
    if is_written:
        for migration in changed:
            write(migration)
    if output == "json":
        _print_json(list(found.values()))
    else:
        _print_text(list(found.values()), is_written)
    if check and changed:
        ctx.exit(EXIT_FAULT)


def _print_json(migrations: list[Migration]) -> None:
    from recplat.cli._output import print_json

    print_json([{"file": one.file, "changed": one.is_changed, "diff": "".join(_diff(one))} for one in migrations])


def _print_text(migrations: list[Migration], is_written: bool) -> None:
    for migration in migrations:
        if not migration.is_changed:
            click.echo(f"{migration.file}: up to date")
        elif is_written:
            click.echo(f"{migration.file}: written")
        else:
            click.echo("".join(_diff(migration)), nl=False)
    if any(migration.is_changed for migration in migrations) and not is_written:
        click.echo("nothing is changed yet: `--write` does it", err=True)


def _diff(migration: Migration) -> list[str]:
    from difflib import unified_diff

    lines = unified_diff(
        _lines(migration.before), _lines(migration.after), f"{migration.file} (before)", f"{migration.file} (after)"
    )
    return list(lines)


def _lines(text: str) -> list[str]:
    """Lines for a terminal: each ends in a line break, whatever the file's own are."""
    return [f"{line}\n" for line in text.splitlines()]
