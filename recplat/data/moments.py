"""Mean, spread and range of a stream of numbers, the same however the stream is cut into batches."""

from collections.abc import Iterator

import numpy as np

from recplat.catalog.values import Numbers
from recplat.lang.statistics import Moments

_BLOCK = 65_536


class Blocks:
    """Cuts a stream anew into blocks of a fixed size, so that rounding does not depend on where files end."""

    def __init__(self) -> None:
        self._waiting: list[Numbers] = []
        self._num_waiting = 0

    def add(self, numbers: Numbers) -> Iterator[Numbers]:
        """Takes numbers in and gives the blocks that are full now."""
        self._waiting.append(numbers)
        self._num_waiting += len(numbers)
        if self._num_waiting < _BLOCK:
            return
        joined = np.concatenate(self._waiting)
        whole = len(joined) // _BLOCK * _BLOCK
        self._waiting, self._num_waiting = [joined[whole:]], len(joined) - whole
        yield from joined[:whole].reshape(-1, _BLOCK)

    def rest(self) -> Iterator[Numbers]:
        """The last block, if anything is left for it."""
        if self._num_waiting:
            yield np.concatenate(self._waiting)
        self._waiting, self._num_waiting = [], 0


class Total:
    """The sum of a stream."""

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._total = 0.0

    def add(self, numbers: Numbers) -> None:
        for block in self._blocks.add(numbers):
            self._total += float(block.sum())

    def result(self) -> float:
        for block in self._blocks.rest():
            self._total += float(block.sum())
        return self._total


class MomentsAccumulator:
    """Moments of a stream.

    Blocks are merged by Chan, Golub and LeVeque (1979), which stays exact where mean and spread differ widely.
    """

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._count = 0
        self._mean = 0.0
        self._squares = 0.0  # of the distances from the mean
        self._min = np.inf
        self._max = -np.inf

    def add(self, numbers: Numbers) -> None:
        """Takes numbers in; missing ones (NaN) and infinite ones don't count."""
        for block in self._blocks.add(numbers[np.isfinite(numbers)]):
            self._merge(block)

    def result(self) -> Moments:
        for block in self._blocks.rest():
            self._merge(block)
        if not self._count:
            return Moments(count=0, mean=0.0, std=0.0, min=0.0, max=0.0)
        # The mean of equal values may be off by a rounding, and its spread would be made of that alone.
        is_constant = self._min == self._max
        return Moments(
            count=self._count,
            mean=self._min if is_constant else self._mean,
            std=0.0 if is_constant else float(np.sqrt(self._squares / self._count)),
            min=self._min,
            max=self._max,
        )

    def _merge(self, block: Numbers) -> None:
        # A sum of values near float32's end stays far below float64's, so do their squares.
        mean = float(block.mean())
        squares = float(np.square(block - mean).sum())
        total = self._count + len(block)
        distance = mean - self._mean
        self._mean += distance * len(block) / total
        self._squares += squares + distance * distance * self._count * len(block) / total
        self._count = total
        self._min = min(self._min, float(block.min()))
        self._max = max(self._max, float(block.max()))
