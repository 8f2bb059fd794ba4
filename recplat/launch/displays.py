"""The display that fits a stream."""

from __future__ import annotations

from typing import TextIO

from recplat.launch.display import Display
from recplat.launch.lines import Lines


def open_display(stream: TextIO) -> Display:
    """A live block on a terminal, plain lines elsewhere."""
    if not stream.isatty():
        return Lines(stream)
    from rich.console import Console

    from recplat.launch.live import Live

    console = Console(file=stream, highlight=False)  # honours NO_COLOR and TERM itself
    return Live(console) if console.is_terminal and not console.is_dumb_terminal else Lines(stream)
