"""`recplat migrate`."""

from __future__ import annotations

from pathlib import Path

import click

from recplat.cli import EXIT_FAULT


@click.command(epilog="Example: recplat migrate specs/*.yaml --check")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path())
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 when a file is not up to date.")
@click.pass_context
def command(ctx: click.Context, specs: tuple[str, ...], check: bool) -> None:
    """Rewrite specs of an older apiVersion, or with fields that have a new name, where they lie.

    Comments and layout stay. What it can't decide for you is left to `recplat validate`.
    """
    from recplat.spec.migrate import migrate

    is_stale = False
    for spec in specs:
        migration = migrate(Path(spec))
        for change in migration.changes:
            click.echo(f"{spec}: {change}")
        for other in migration.others:
            click.echo(f"{spec}: `{other}`, which it extends, has old names too: migrate it as well", err=True)
        if not migration.changes:
            click.echo(f"{spec}: up to date")
        elif not check:
            Path(spec).write_text(migration.text, encoding="utf-8", newline="")
        is_stale = is_stale or bool(migration.changes)
    if check and is_stale:
        ctx.exit(EXIT_FAULT)
