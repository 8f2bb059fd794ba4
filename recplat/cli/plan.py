"""`recplat plan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recplat.cli._options import output_option, spec_options
from recplat.cli._output import print_diagnostics

if TYPE_CHECKING:
    from recplat.spec import LoadedJob


@click.command(epilog="Example: recplat plan specs/ml100k-deepfm.yaml --out plan.json")
@spec_options
@click.option("--out", type=click.Path(dir_okay=False), help="Also write the plan to this file, as JSON.")
@output_option()
def command(spec: str, overlays: tuple[str, ...], sets: tuple[str, ...], out: str | None, output: str) -> None:
    """Show what a run would do: tables, shards, memory per rank, what is active and why.

    Reads the spec and its statistics lock, never the data; needs no GPU and no torch.
    """
    from recplat.spec.load import load_job

    show_plan(load_job(spec, overlays, sets), output, None if out is None else Path(out))


def show_plan(loaded: LoadedJob, output: str, file: Path | None = None) -> None:
    """The plan of a job on standard output, and in `file`; all warnings, the spec's too, on standard error."""
    from recplat.api import plan
    from recplat.plan import encode_plan
    from recplat.plan.text import render_plan

    compiled = plan(loaded)
    encoded = encode_plan(compiled.plan)
    if file is not None:
        file.write_bytes(encoded)
    click.echo(encoded.decode().rstrip("\n") if output == "json" else render_plan(compiled.plan))
    if warnings := (*loaded.warnings, *compiled.warnings):
        print_diagnostics(warnings, loaded.document.sources, "text")
