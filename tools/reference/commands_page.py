"""`docs/reference/commands.md`: what `--help` says, for every command."""

import click

from recplat.cli import cli


def commands_page() -> str:
    root = _context(cli, "recplat", None)
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
        child = _context(command, name, context)
        found += [child, *_commands(child)]
    return found


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    """As the command line makes it, but for the width, which is the terminal's there."""
    settings = {**command.context_settings, "terminal_width": 100, "max_content_width": 100}
    return click.Context(command, parent=parent, info_name=name, **settings)


def _help(context: click.Context) -> list[str]:
    return ["```text", context.get_help().rstrip(), "```", ""]
