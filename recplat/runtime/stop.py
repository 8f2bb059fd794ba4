"""Asks to stop: a signal, or the death of the process that answers for this rank."""

import os
import signal
from types import FrameType


class Stop:
    """`requested` turns True when this rank should stop; ranks agree on the step in `meter.py`."""

    def __init__(self, parent: int) -> None:
        self._parent = parent
        self._signalled = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)

    @property
    def requested(self) -> bool:
        return self._signalled or os.getppid() != self._parent

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._signalled = True
