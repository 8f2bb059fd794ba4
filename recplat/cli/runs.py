"""`recplat runs`: the runs of this project.

They are read from their folders under `.recplat/runs`, which hold all that MLflow does and cost milliseconds instead
of the seconds that importing MLflow takes; `--tracking-uri` adds runs that only a store knows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from recplat.cli._options import output_option
from recplat.cli._output import print_json

if TYPE_CHECKING:
    from recplat.cli._known_runs import KnownRuns

Command = TypeVar("Command", bound=Callable[..., Any])

_run_argument = click.argument("run")


@click.group(epilog="Example: recplat runs compare latest 20261130-1426")
def command() -> None:
    """List, show and compare runs.

    RUN is an id, an unambiguous beginning of one, or `latest`.
    """


def _store_option(command: Command) -> Command:
    return click.option("--tracking-uri", metavar="URI", help="Also look at the runs of this MLflow store.")(command)


@command.command("list", epilog="Example: recplat runs list --limit 50")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), help="Most runs shown.")
@_store_option
@output_option()
def list_runs(limit: int, tracking_uri: str | None, output: str) -> None:
    """Show the newest runs with their state and key metrics."""
    from recplat.cli._runs_text import list_text

    records = _known_runs(tracking_uri).records()[:limit]
    if output == "json":
        print_json(records)
    elif records:
        click.echo(list_text(records))
    else:
        click.echo("There are no runs yet; `recplat apply SPEC` makes one.", err=True)


@command.command("show", epilog="Example: recplat runs show latest")
@_run_argument
@_store_option
@output_option()
def show_run(run: str, tracking_uri: str | None, output: str) -> None:
    """Show all of one run: metrics, the fields that matter, plan, files."""
    from recplat.cli._runs_text import show_text

    details = _known_runs(tracking_uri).details(run)
    if output == "json":
        print_json(details)
    else:
        click.echo(show_text(details))


@command.command("compare", epilog="Example: recplat runs compare 20261130-1426 latest")
@click.argument("run_a", metavar="A")
@click.argument("run_b", metavar="B")
@_store_option
@output_option()
def compare_runs(run_a: str, run_b: str, tracking_uri: str | None, output: str) -> None:
    """Show the metrics of two runs side by side, and in what their specs differ."""
    from recplat.cli._comparison import compare
    from recplat.cli._runs_text import comparison_text

    known = _known_runs(tracking_uri)
    comparison = compare(known.details(run_a), known.details(run_b))
    if output == "json":
        print_json(comparison)
    else:
        click.echo(comparison_text(comparison))


@command.command("watch", epilog="Example: recplat runs watch latest")
@_run_argument
@click.pass_context
def watch_run(ctx: click.Context, run: str) -> None:
    """Follow a run that was started elsewhere on this machine, until it ends."""
    import sys

    from recplat.launch.displays import open_display
    from recplat.targets.local import LocalTarget

    state = LocalTarget().watch(_project(), run, open_display(sys.stderr))
    click.echo(f"run {state.run_id}: {state.status}" + (f": {state.error}" if state.error else ""))
    ctx.exit(0 if state.status == "FINISHED" else 1)


@command.command("cancel", epilog="Example: recplat runs cancel latest")
@_run_argument
def cancel_run(run: str) -> None:
    """Ask a run on this machine to end, as Ctrl-C does; it is marked KILLED."""
    from recplat.targets.local import LocalTarget

    LocalTarget().cancel(_project(), run)


def _project() -> Path:
    from recplat.spec.paths import project_root

    return project_root(Path.cwd())


def _known_runs(tracking_uri: str | None) -> KnownRuns:
    from recplat.cli._known_runs import KnownRuns
    from recplat.tracking.abandoned import mark_abandoned

    root = _project()
    for told in mark_abandoned(root):
        click.echo(told, err=True)
    return KnownRuns(root, tracking_uri)
