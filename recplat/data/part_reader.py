"""One part of prepared data, memory-mapped, as NumPy arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.data.prepared import Prepared

Ids = NDArray[np.int32] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows. B: rows; D: dense features; S: features with one id a row; N: ids of a bag over all its rows."""

    dense_BD: NDArray[np.float32] | None
    ids_BS: Ids | None
    bags: Mapping[str, tuple[Ids, NDArray[np.int64]]]  # ids [N], and offsets [B + 1] into them, from 0
    labels_B: NDArray[np.float32]
    weights_B: NDArray[np.float32] | None
    groups: Mapping[str, NDArray[np.int64]]

    def take(self, rows: NDArray[np.int64] | slice) -> "Block":
        """These rows, copied."""
        return Block(
            dense_BD=None if self.dense_BD is None else _rows(self.dense_BD, rows),
            ids_BS=None if self.ids_BS is None else _rows(self.ids_BS, rows),
            bags={name: _bag_rows(ids, offsets, rows) for name, (ids, offsets) in self.bags.items()},
            labels_B=_rows(self.labels_B, rows),
            weights_B=None if self.weights_B is None else _rows(self.weights_B, rows),
            groups={name: _rows(numbers, rows) for name, numbers in self.groups.items()},
        )


class PartReader:
    """A part of a prepared folder; its rows lie in the page cache, shared by all processes that read it."""

    def __init__(self, folder: Path, part: str) -> None:
        """
        Raises:
            KeyError: the job has no such part.
        """
        self.prepared = msgspec.json.decode((folder / "prepared.json").read_bytes(), type=Prepared)
        self.info = self.prepared.parts[part]
        self.num_rows = self.info.num_rows
        self.block_rows = self.prepared.block_rows
        # A part without rows has no schema either.
        self._file: Any = pa.ipc.open_file(pa.memory_map(str(folder / self.info.file))) if self.num_rows else None

    def block(self, index: int) -> Block:
        """Block `index`, a view of the file: not to be written to."""
        batch = self._file.get_batch(index)
        prepared = self.prepared
        return Block(
            dense_BD=_matrix(batch.column("dense")) if prepared.dense else None,
            ids_BS=_matrix(batch.column("ids")) if prepared.ids else None,
            bags={name: _bag(batch.column(f"bag:{name}")) for name in prepared.bags},
            labels_B=batch.column("label").to_numpy(),
            weights_B=batch.column("weight").to_numpy() if prepared.has_weight else None,
            groups={name: batch.column(f"group:{name}").to_numpy() for name in prepared.groups},
        )


def join(blocks: Sequence[Block]) -> Block:
    """Blocks one behind the other; a single one as it is."""
    first = blocks[0]
    if len(blocks) == 1:
        return first
    return Block(
        dense_BD=None if first.dense_BD is None else np.concatenate([block.dense_BD for block in blocks]),
        ids_BS=None if first.ids_BS is None else np.concatenate([block.ids_BS for block in blocks]),
        bags={name: _join_bags([block.bags[name] for block in blocks]) for name in first.bags},
        labels_B=np.concatenate([block.labels_B for block in blocks]),
        weights_B=None if first.weights_B is None else np.concatenate([block.weights_B for block in blocks]),
        groups={name: np.concatenate([block.groups[name] for block in blocks]) for name in first.groups},
    )


def _matrix(column: pa.FixedSizeListArray) -> NDArray[Any]:
    values: NDArray[Any] = column.flatten().to_numpy()
    return values.reshape(len(column), -1)


def _bag(column: pa.ListArray) -> tuple[Ids, NDArray[np.int64]]:
    offsets = column.offsets.to_numpy().astype(np.int64)
    return column.values.to_numpy()[offsets[0] : offsets[-1]], offsets - offsets[0]


def _rows(array: NDArray[Any], rows: NDArray[np.int64] | slice) -> NDArray[Any]:
    return array[rows].copy() if isinstance(rows, slice) else array.take(rows, axis=0)


def _bag_rows(ids: Ids, offsets: NDArray[np.int64], rows: NDArray[np.int64] | slice) -> tuple[Ids, NDArray[np.int64]]:
    if isinstance(rows, slice):
        start, stop, _ = rows.indices(len(offsets) - 1)
        chosen = offsets[start : stop + 1]
        return ids[chosen[0] : chosen[-1]].copy(), chosen - chosen[0]
    starts = offsets[rows]
    lengths = offsets[rows + 1] - starts
    out = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=out[1:])
    return ids.take(np.repeat(starts - out[:-1], lengths) + np.arange(out[-1])), out


def _join_bags(bags: Sequence[tuple[Ids, NDArray[np.int64]]]) -> tuple[Ids, NDArray[np.int64]]:
    ends = np.cumsum([0, *(int(offsets[-1]) for _, offsets in bags)])
    shifted = [offsets[1:] + end for (_, offsets), end in zip(bags, ends.tolist(), strict=False)]
    return np.concatenate([ids for ids, _ in bags]), np.concatenate([np.zeros(1, np.int64), *shifted])
