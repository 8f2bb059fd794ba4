"""The command line. Each command is a file here, imported when it is called for and not before.

Exit codes: 0 fine; 1 the spec, the data or the run is at fault; 2 wrong usage; 3 a gate was missed; 130 interrupted.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

import click

from recplat.cli._output import output_format, print_problems
from recplat.diagnostics import Problems, nearest, refusal

#: Name -> what `recplat --help` says of it; the modules themselves are not imported for that.
COMMANDS = {
    "init": "Write a small spec that runs as it is.",
    "validate": "Find every fault of a spec, with place and remedy.",
    "plan": "Show tables, memory per rank and what is active, without a GPU.",
    "render": "Write the files to commit for a target.",
    "apply": "Train: on this machine, with live progress.",
    "runs": "List, show and compare runs.",
    "data": "Fetch, make up, look at and measure data.",
    "explain": "Tell all about a diagnostic's code or a field.",
    "migrate": "Rewrite an older spec, comments kept.",
    "doctor": "Look at the state of this machine.",
    "schema": "Print the JSON Schema of the spec.",
    "completion": "Print the completion script of a shell.",
}

EXIT_FAULT = 1
EXIT_GATE_MISSED = 3
EXIT_INTERRUPTED = 130


class LazyGroup(click.Group):
    """Commands by name from `recplat.cli.<name>`, and the one place where a user's mistake becomes text."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"recplat.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            meant = nearest(name, COMMANDS)
            hint = f" Did you mean `recplat {meant}`?" if meant else " See `recplat --help`."
            raise click.UsageError(f"There is no command `{name}`.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        arguments = [*ctx._protected_args, *ctx.args]
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            from recplat.cli._wrong_option import with_field

            raise with_field(error, arguments) from None
        except Problems as problems:
            print_problems(problems, output_format(ctx))
            ctx.exit(EXIT_FAULT)
        except OSError as error:
            if (problem := refusal(error)) is None:
                raise
            print_problems(Problems([problem]), output_format(ctx))
            ctx.exit(EXIT_FAULT)
        except KeyboardInterrupt:
            # The line that shows `^C` is not finished yet.
            click.echo("\ninterrupted", err=True)
            ctx.exit(EXIT_INTERRUPTED)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Example: recplat init demo && recplat apply demo.yaml",
)
@click.version_option(package_name="recplat", prog_name="recplat")
def cli() -> None:
    """Plan, train and compare recommenders from one YAML file.

    Results go to standard output, progress and faults to standard error. Exit codes: 0 fine, 1 the spec, the data or
    the run is at fault, 2 wrong usage, 3 a gate was missed, 130 interrupted.
    """


def main() -> None:
    """Entry point of `recplat`."""
    sys.excepthook = _report_bug
    try:
        cli(prog_name="recplat")
    except SystemExit as end:
        _leave(end.code)


def _leave(code: object) -> None:
    """End now: Python's own end takes apart what was imported, two seconds' work after a run with MLflow."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BrokenPipeError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _report_bug(kind: type[BaseException], error: BaseException, trace: object) -> None:
    import traceback

    traceback.print_exception(error)
    print(
        f"\nThis is a bug in recplat, not in your spec: {kind.__name__}. Please report it with the lines above and "
        "the output of `recplat doctor`.",
        file=sys.stderr,
    )
