"""`recplat validate`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from recplat.cli._options import output_option, overlay_option, set_option
from recplat.cli._output import print_diagnostics

if TYPE_CHECKING:
    from recplat.diagnostics import Diagnostic
    from recplat.spec import LoadedJob


@click.command(
    epilog="Example: recplat validate specs/ml100k-deepfm.yaml --set spec.train.epochs=3",
)
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path())
@overlay_option
@set_option
@click.option("--data", is_flag=True, help="Also open the data: files, columns, their types, the first rows.")
@output_option()
@click.pass_context
def command(
    ctx: click.Context,
    specs: tuple[str, ...],
    overlays: tuple[str, ...],
    sets: tuple[str, ...],
    data: bool,
    output: str,
) -> None:
    """Find every fault of one or more specs.

    All faults are reported at once, in file order, each with its place and a remedy. Exit code 1 if there is an error;
    warnings alone leave it at 0.
    """
    from recplat.spec.load import check_job

    checks = [check_job(spec, overlays, sets) for spec in specs]
    found = [diagnostic for check in checks for diagnostic in check.diagnostics]
    if data:
        found += [fault for check in checks if check.loaded for fault in _data_faults(check.loaded)]
    diagnostics = tuple(found)
    sources = {file: text for check in checks for file, text in check.sources.items()}
    failed = any(diagnostic.severity == "error" for diagnostic in diagnostics)
    if output == "json" or diagnostics:
        print_diagnostics(diagnostics, sources, output)
    if not failed and output == "text":
        for spec in specs:
            click.echo(f"{spec}: fine", file=sys.stdout)
    if failed:
        ctx.exit(1)


def _data_faults(loaded: LoadedJob) -> tuple[Diagnostic, ...]:
    """What is wrong with files, columns and types, and with the first rows."""
    from recplat.data.first_rows import first_rows_faults
    from recplat.diagnostics import Problems

    faults = first_rows_faults(loaded.job, loaded.catalog, loaded.root)
    return loaded.placed(Problems(faults)).diagnostics if faults else ()
