"""Ctrl-C, SIGTERM and SIGHUP: the first ends the run in good order, the second at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """Raised in the main thread by the first signal, wherever it happens to be."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signal_name = signal.Signals(signum).name


@contextmanager
def interruptible(kill: Callable[[], None]) -> Iterator[None]:
    """Inside, the first signal raises `Interrupted`, every further one calls `kill`.

    Python handles signals in the main thread alone: in another one this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    count = 0

    def handle(signum: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1
        if count > 1:
            kill()
            return
        raise Interrupted(signum)

    before = {each: signal.signal(each, handle) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
