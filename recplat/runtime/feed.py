"""Hands batches to the loop and counts how long it waited for them."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from recplat.data.prefetch import Prefetched
from recplat.runtime.batch import Batch


class Feed(Protocol):
    wait_seconds: float  # so far

    def __iter__(self) -> Iterator[Batch]: ...

    def __next__(self) -> Batch: ...


class Direct:
    """Batches made when they are asked for."""

    def __init__(self, batches: Iterator[Batch]) -> None:
        self.wait_seconds = 0.0
        self._batches = batches

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        start = time.perf_counter()
        batch = next(self._batches)
        self.wait_seconds += time.perf_counter() - start
        return batch


def feed(batches: Iterator[Batch], *, prefetch: int, pin: bool) -> AbstractContextManager[Feed]:
    """A thread that makes `prefetch` batches ahead, in page-locked memory with `pin`; none for `prefetch` 0."""
    if pin:
        batches = (batch.pin_memory() for batch in batches)
    return Prefetched(batches, prefetch) if prefetch else nullcontext(Direct(batches))
