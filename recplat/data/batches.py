"""Batches of a part for one rank, as NumPy arrays. The order is in `order.py`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recplat.data.order import Window, rank_slice, windows
from recplat.data.part_reader import Block, Ids, PartReader, join


@dataclass(frozen=True, slots=True)
class HostBatch:
    """This rank's rows of a global batch; the arrays are its own. B: rows, maybe 0; D, S: as in `Block`."""

    dense: NDArray[np.float32] | None  # [B, D], columns in the plan's order
    ids: Ids | None  # [B, S], columns in the plan's order
    bags: Mapping[str, tuple[Ids, NDArray[np.int32]]]  # list feature -> its ids, and how many each row has
    labels: NDArray[np.float32]  # [B]
    weights: NDArray[np.float32] | None  # [B]
    groups: Mapping[str, NDArray[np.int64]]
    num_global_rows: int  # over all ranks
    total_weight: float  # over all ranks; `num_global_rows` without weights
    epoch: int
    index: int  # of the global batch in its epoch


def num_batches(num_rows: int, batch_size: int) -> int:
    """Global batches of an epoch; the last one may be smaller."""
    return -(-num_rows // batch_size)


def batches(
    part: PartReader,
    *,
    batch_size: int,
    rank: int,
    num_ranks: int,
    seed: int,
    epoch: int,
    shuffle: bool,
    window_rows: int,
    start_batch: int = 0,
) -> Iterator[HostBatch]:
    """The rank's slices of the global batches of one epoch, from global batch `start_batch` on.

    Global batch k is rows `k * batch_size : (k + 1) * batch_size` of the global order, at any number of ranks; rank r
    takes its r-th contiguous slice. All ranks get the same number of batches; of a last, smaller one some may get
    nothing.

    Args:
        batch_size: over all ranks.
        window_rows: rows among which shuffling mixes freely.
    """
    cursor = _Cursor(
        part,
        windows(
            part.num_rows,
            block_rows=part.block_rows,
            window_rows=window_rows,
            seed=seed,
            epoch=epoch,
            shuffle=shuffle,
        ),
    )
    for index in range(start_batch, num_batches(part.num_rows, batch_size)):
        first, last = index * batch_size, min((index + 1) * batch_size, part.num_rows)
        start, end = rank_slice(first, last, rank, num_ranks)
        block, total_weight = cursor.read(first, last, start, end)
        yield HostBatch(
            dense=block.dense_BD,
            ids=block.ids_BS,
            bags={name: (ids, np.diff(offsets).astype(np.int32)) for name, (ids, offsets) in block.bags.items()},
            labels=block.labels_B,
            weights=block.weights_B,
            groups=block.groups,
            num_global_rows=last - first,
            total_weight=float(last - first) if total_weight is None else total_weight,
            epoch=epoch,
            index=index,
        )


class _Cursor:
    """Walks through the windows of an epoch, holding one in memory."""

    def __init__(self, part: PartReader, order: Iterator[Window]) -> None:
        self._part = part
        self._order = order
        self._window: Window | None = None

    def read(self, first: int, last: int, start: int, end: int) -> tuple[Block, float | None]:
        """Rows `start : end` of the global order, and the weight of all rows `first : last` around them."""
        pieces: list[Block] = []
        weights: list[NDArray[np.float32]] = []
        position = first
        while position < last:
            window = self._at(position)
            stop = min(last, window.end)
            here = self._take(max(start, position), min(end, stop))
            if here is not None:
                pieces.append(here)
            if self._block.weights_B is not None:
                weights.append(self._block.weights_B[self._places(position, stop)])
            position = stop
        block = join(pieces) if pieces else self._block.take(slice(0, 0))
        # Summed as float64 over the whole batch in its order, so that every rank gets the same number.
        total = float(np.concatenate(weights).sum(dtype=np.float64)) if weights else None
        return block, total

    def _take(self, start: int, end: int) -> Block | None:
        return self._block.take(self._places(start, end)) if start < end else None

    def _places(self, start: int, end: int) -> NDArray[np.int64] | slice:
        """Rows of the window that is held, by positions of the global order."""
        assert self._window is not None
        inside = slice(start - self._window.start, end - self._window.start)
        return inside if self._rows is None else self._rows[inside]

    def _at(self, position: int) -> Window:
        while self._window is None or position >= self._window.end:
            self._window = next(self._order)
            if position < self._window.end:
                self._block = join([self._part.block(index) for index in self._window.blocks.tolist()])
                self._rows = self._window.rows()
        return self._window
