"""`recplat render`."""

from __future__ import annotations

from pathlib import Path

import click

from recplat.cli._options import spec_options


@click.command(epilog="Example: recplat render specs/ml100k-deepfm.yaml --target local")
@spec_options
@click.option("--target", type=click.Choice(["local"]), default="local", show_default=True, help="What to render for.")
@click.option("-o", "--out", type=click.Path(file_okay=False), help="Folder to write to; standard output by default.")
def command(spec: str, overlays: tuple[str, ...], sets: tuple[str, ...], target: str, out: str | None) -> None:
    """Print the normal form of a spec: every default written out, one way to write each thing.

    The same spec gives the same bytes. Values that YAML 1.1 readers would see differently are quoted.
    """
    from recplat.spec.load import load_job
    from recplat.spec.render import render_yaml

    loaded = load_job(spec, overlays, sets)
    text = render_yaml(loaded.job)
    if out is None:
        click.echo(text, nl=False)
        return
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{loaded.job.metadata.name}.yaml"
    file.write_text(text, encoding="utf-8")
    click.echo(str(file))
