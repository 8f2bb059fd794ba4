"""Reads what ranks tell, while they write it and afterwards."""

from __future__ import annotations

from pathlib import Path

import msgspec

from recplat.tracking.events import AnyEvent, Noted, Step
from recplat.tracking.run_folder import RunFolder

_DECODER = msgspec.json.Decoder(AnyEvent)


class EventFiles:
    """The event files of all ranks of a run, read from their start."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder.events
        self._offsets: dict[Path, int] = {}

    def read(self) -> list[AnyEvent]:
        """What is new since the last call, in order of time; a line that is still being written is left for later."""
        events = [event for path in sorted(self._folder.glob("rank-*.jsonl")) for event in self._new(path)]
        return sorted(events, key=lambda event: event.time)

    def _new(self, path: Path) -> list[AnyEvent]:
        with path.open("rb") as file:
            offset = self._offsets.get(path, 0)
            file.seek(offset)
            complete, newline, _ = file.read().rpartition(b"\n")
        self._offsets[path] = offset + len(complete) + len(newline)
        return [_decode(line, path) for line in complete.splitlines() if line.strip()]


def read_events(folder: RunFolder) -> list[AnyEvent]:
    """All events of a run's latest attempt."""
    return EventFiles(folder).read()


def read_all_events(folder: RunFolder) -> list[AnyEvent]:
    """All events of a run, those of earlier attempts first; steps that a later attempt took again count once."""
    earlier = sorted((folder.path / "attempts").glob("*"), key=lambda path: int(path.name))
    events: list[AnyEvent] = []
    for path in (*earlier, folder.path):
        attempt = read_events(RunFolder(path))
        first = min((event.step for event in attempt if isinstance(event, Step)), default=None)
        events = [event for event in events if first is None or _is_before(event, first)] + attempt
    return events


def _is_before(event: AnyEvent, first: int) -> bool:
    step: int | None = getattr(event, "step", None)
    return step is None or step < first


def _decode(line: bytes, path: Path) -> AnyEvent:
    try:
        return _DECODER.decode(line)
    except msgspec.MsgspecError as error:
        # A full disk tears lines; a run that goes on training is worth more than one event.
        rank = int(path.stem.removeprefix("rank-"))
        return Noted(time=0.0, rank=rank, code="event-unreadable", message=f"{path.name}: {error}")
