"""Runs an iterator in a thread, ahead of whoever consumes it."""

import queue
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")

_POLL_S = 0.1


class _End:
    """What the thread puts last; `error` is what ended it early."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Prefetched(Generic[T]):
    """An iterator over `source` that a thread runs at most `depth` items ahead. Use it in a `with` block.

    `wait_seconds`: how long the consumer has waited for items so far. What `source` raises, the consumer gets, after
    the items that came before.
    """

    def __init__(self, source: Iterator[T], depth: int) -> None:
        """`depth`: >= 1."""
        self.wait_seconds = 0.0
        self._source = source
        self._queue: queue.Queue[T | _End] = queue.Queue(depth)
        self._stopped = threading.Event()
        self._finished = False
        self._thread = threading.Thread(target=self._run, name="prefetch", daemon=True)

    def __enter__(self) -> "Prefetched[T]":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._thread.join()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if self._finished:
            raise StopIteration
        start = time.perf_counter()
        item = self._queue.get()
        self.wait_seconds += time.perf_counter() - start
        if not isinstance(item, _End):
            return item
        self._finished = True
        if item.error is not None:
            raise item.error
        raise StopIteration

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            for item in self._source:
                if not self._put(item):
                    return
        except BaseException as raised:
            error = raised
        self._put(_End(error))

    def _put(self, item: T | _End) -> bool:
        """Whether the consumer is still there."""
        while not self._stopped.is_set():
            try:
                self._queue.put(item, timeout=_POLL_S)
            except queue.Full:
                continue
            return True
        return False
