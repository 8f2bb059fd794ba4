"""A picture of commands and what they print: `python -m tools.picture OUT.svg 'recplat plan X' ['recplat apply X' …]`.

Each command is really run, its standard output being a terminal; what goes to standard error is left out.
"""

import io
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

WIDTH = 118
# The usual font of the picture is fetched from the web by whoever looks at it; any monospaced one will do.
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main(out: str, *commands: str) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for number, command in enumerate(commands):
        if number:
            console.print()
        console.print(Text(f"$ {command}", style="bold"))
        console.print(Text.from_ansi(_output(command)))
    svg = console.export_svg(title="recplat", theme=SVG_EXPORT_THEME)
    svg = _FONT.sub("", svg).replace("Fira Code, monospace", "monospace")
    target = Path(out)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(re.sub(r"terminal-\d+-", "t-", svg), encoding="utf-8")


def _output(command: str) -> str:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": "200"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    with subprocess.Popen(shlex.split(command), stdout=theirs, stderr=subprocess.DEVNULL, env=environment):
        os.close(theirs)
        pieces = []
        while piece := _read(ours):
            pieces.append(piece)
    os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n").rstrip()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux's way to say that the other side is closed
        return b""


if __name__ == "__main__":
    main(*sys.argv[1:])
