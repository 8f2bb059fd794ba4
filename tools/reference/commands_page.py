"""`docs/reference/commands.md`: what `--help` says, for every command."""

import click

from recplat.cli import cli


def commands_page() -> str:
    root = click.Context(cli, info_name="recplat", terminal_width=100)
    lines = [
        "# Commands",
        "",
        "What `--help` prints. Results go to standard output, progress and faults to standard error. Exit codes: 0 "
        "fine, 1 the spec, the data or the run is at fault, 2 wrong usage, 3 a gate was missed, 130 interrupted.",
        "",
        *_help(root),
    ]
    for context in _commands(root):
        lines += [f"## {context.command_path}", "", *_help(context)]
    return "\n".join(lines)


def _commands(context: click.Context) -> list[click.Context]:
    """Contexts of all commands below, groups before what they hold."""
    group = context.command
    if not isinstance(group, click.Group):
        return []
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        child = click.Context(command, parent=context, info_name=name, terminal_width=100)
        found += [child, *_commands(child)]
    return found


def _help(context: click.Context) -> list[str]:
    return ["```text", context.get_help().rstrip(), "```", ""]
