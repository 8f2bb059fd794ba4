"""`recplat validate`."""

from __future__ import annotations

import sys

import click

from recplat.cli._options import output_option, overlay_option, set_option
from recplat.cli._output import print_diagnostics


@click.command(
    epilog="Example: recplat validate specs/ml100k-deepfm.yaml --set spec.train.epochs=3",
)
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path())
@overlay_option
@set_option
@output_option()
@click.pass_context
def command(
    ctx: click.Context, specs: tuple[str, ...], overlays: tuple[str, ...], sets: tuple[str, ...], output: str
) -> None:
    """Find every fault of one or more specs.

    All faults are reported at once, in file order, each with its place and a remedy. Exit code 1 if there is an error;
    warnings alone leave it at 0.
    """
    from recplat.spec.load import check_job

    checks = [check_job(spec, overlays, sets) for spec in specs]
    diagnostics = tuple(diagnostic for check in checks for diagnostic in check.diagnostics)
    sources = {file: text for check in checks for file, text in check.sources.items()}
    failed = any(check.loaded is None for check in checks)
    if output == "json" or diagnostics:
        print_diagnostics(diagnostics, sources, output)
    if not failed and output == "text":
        for spec in specs:
            click.echo(f"{spec}: fine", file=sys.stdout)
    if failed:
        ctx.exit(1)
