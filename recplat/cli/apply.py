"""`recplat apply`."""

from __future__ import annotations

import sys

import click

from recplat.cli import EXIT_GATE_MISSED
from recplat.cli._options import output_option, spec_options, verbose_option
from recplat.cli._output import print_diagnostics, print_json, use_color


@click.command(
    epilog="Example: recplat apply specs/ml100k-deepfm.yaml --set spec.train.epochs=3",
)
@spec_options
@click.option("--target", type=click.Choice(["local"]), default="local", show_default=True, help="Where it runs.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, from the plan alone, and do nothing.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[RUN]",
    help="Continue a run from its newest checkpoint, with the same files and --set: the newest run of this spec that "
    "did not finish, or RUN.",
)
@output_option()
@verbose_option
@click.pass_context
def command(
    ctx: click.Context,
    spec: str,
    overlays: tuple[str, ...],
    sets: tuple[str, ...],
    target: str,
    dry_run: bool,
    resume: str | None,
    output: str,
    verbose: bool,
) -> None:
    """Train the model that a spec describes, and record the run.

    Runs on this machine, one process per rank, with live progress on standard error and the result on standard output.
    Ctrl-C ends all processes within 5 s and marks the run KILLED; exit code 130. A missed gate: exit code 3.
    """
    from recplat.spec import load_job

    loaded = load_job(spec, overlays, sets)
    if dry_run:
        from recplat.cli.plan import show_plan

        show_plan(loaded, output)
        return
    if loaded.warnings:
        print_diagnostics(loaded.warnings, loaded.document.sources, "text")
    from recplat.launch.failure import RunFailed
    from recplat.targets.local import LocalTarget

    try:
        result = LocalTarget().apply(loaded, resume=resume)
    except RunFailed as failed:
        if verbose and failed.traceback:
            click.echo(failed.traceback, err=True)
        raise
    if output == "json":
        print_json(result)
    else:
        from recplat.cli._run_text import result_text

        click.echo(result_text(result, color=use_color(sys.stdout)))
    if not result.has_met_gates:
        ctx.exit(EXIT_GATE_MISSED)
