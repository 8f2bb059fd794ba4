"""`recplat render`."""

from __future__ import annotations

from pathlib import Path

import click

from recplat.cli import EXIT_FAULT
from recplat.cli._options import spec_options


@click.command(epilog="Example: recplat render specs/ml100k-deepfm.yaml --target local")
@spec_options
@click.option("--target", type=click.Choice(["local"]), default="local", show_default=True, help="What to render for.")
@click.option("-o", "--out", type=click.Path(file_okay=False), help="Folder to write to; standard output by default.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the file in the folder is stale.")
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    overlays: tuple[str, ...],
    sets: tuple[str, ...],
    target: str,
    out: str | None,
    check: bool,
) -> None:
    """Print the normal form of a spec: every default written out, one way to write each thing.

    The same spec gives the same bytes. Values that YAML 1.1 readers would see differently are quoted.
    """
    if check and out is None:
        raise click.UsageError("--check compares with what is in a folder: name it with --out.")
    from recplat.spec.load import load_job
    from recplat.spec.render import render_yaml

    loaded = load_job(spec, overlays, sets)
    text = render_yaml(loaded.job)
    if out is None:
        click.echo(text, nl=False)
        return
    file = Path(out) / f"{loaded.job.metadata.name}.yaml"
    if check:
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            click.echo(f"{file} is stale: run `recplat render` without --check and commit it", err=True)
            ctx.exit(EXIT_FAULT)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    click.echo(str(file))
