"""Writes a rank's events, one JSON object a line."""

import os
from pathlib import Path

import msgspec

from recplat.tracking.events import Event


class EventWriter:
    """Appends to `events/rank-<r>.jsonl`. Each event is one write, so lines stay whole."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self.step: int | None = None  # the last one that ranks met at, for a failure to be placed
        self._encoder = msgspec.json.Encoder()

    def write(self, event: Event) -> None:
        os.write(self._file, self._encoder.encode(event) + b"\n")
