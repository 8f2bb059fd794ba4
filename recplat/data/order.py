"""The global order of rows: a function of seed and epoch alone, whatever the batch size and the number of ranks.

Blocks of the file are shuffled, neighbours in that order make a window, and rows are shuffled within each window. So
reading stays sequential within a block, and a position can be found without walking through what lies before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Streams of random numbers of one epoch: blocks, and rows within each window.
_BLOCKS, _ROWS = 0, 1


@dataclass(frozen=True, slots=True)
class Window:
    """Positions `start : end` of the global order are these blocks, joined, their rows in the order `rows()`."""

    start: int
    end: int
    blocks: NDArray[np.int64]
    seed: tuple[int, ...] | None  # None: not shuffled

    def rows(self) -> NDArray[np.int64] | None:
        """Rows of the joined blocks by position in the window; None where they stay as they are."""
        if self.seed is None:
            return None
        return np.random.default_rng(self.seed).permutation(self.end - self.start)


def windows(
    num_rows: int, *, block_rows: int, window_rows: int, seed: int, epoch: int, shuffle: bool
) -> Iterator[Window]:
    """All windows of an epoch, in order.

    Args:
        window_rows: rows of a window, rounded down to whole blocks, but at least one block.
    """
    num_blocks = -(-num_rows // block_rows)
    blocks = np.arange(num_blocks)
    if shuffle:
        blocks = np.random.default_rng((seed, epoch, _BLOCKS)).permutation(num_blocks)
    # Without shuffling a window is one block: there is nothing to hold more for.
    blocks_per_window = max(1, window_rows // block_rows) if shuffle else 1
    start = 0
    for index in range(-(-num_blocks // blocks_per_window)):
        chosen = blocks[index * blocks_per_window : (index + 1) * blocks_per_window]
        num_window_rows = int(np.minimum(block_rows, num_rows - chosen * block_rows).sum())
        yield Window(start, start + num_window_rows, chosen, (seed, epoch, _ROWS, index) if shuffle else None)
        start += num_window_rows


def rank_slice(start: int, end: int, rank: int, num_ranks: int) -> tuple[int, int]:
    """The part of a global batch `start : end` that a rank takes: contiguous, sizes differ by at most one row."""
    num_rows = end - start
    return start + num_rows * rank // num_ranks, start + num_rows * (rank + 1) // num_ranks
