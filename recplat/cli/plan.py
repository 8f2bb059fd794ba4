"""`recplat plan`."""

from __future__ import annotations

from pathlib import Path

import click

from recplat.cli._options import output_option, spec_options
from recplat.cli._output import print_diagnostics


@click.command(epilog="Example: recplat plan specs/ml100k-deepfm.yaml --out plan.json")
@spec_options
@click.option("--out", type=click.Path(dir_okay=False), help="Also write the plan to this file, as JSON.")
@output_option()
def command(spec: str, overlays: tuple[str, ...], sets: tuple[str, ...], out: str | None, output: str) -> None:
    """Show what a run would do: tables, shards, memory per rank, what is active and why.

    Reads the spec and its statistics lock, never the data; needs no GPU and no torch.
    """
    from recplat.api import plan
    from recplat.plan.codec import encode_plan
    from recplat.plan.text import render_plan
    from recplat.spec.load import load_job

    loaded = load_job(spec, overlays, sets)
    compiled = plan(loaded)
    encoded = encode_plan(compiled.plan)
    if out is not None:
        Path(out).write_bytes(encoded)
    warnings = (*loaded.warnings, *compiled.warnings)
    if output == "json":
        click.echo(encoded.decode(), nl=False)
    else:
        click.echo(render_plan(compiled.plan))
    if warnings:
        print_diagnostics(warnings, loaded.document.sources, "text")
