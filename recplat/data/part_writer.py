"""Writes one part of prepared data in blocks of a fixed number of rows, whatever is handed to it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.data.prepared import BLOCK_ROWS


class PartWriter:
    """A context manager; the file is whole only when it has been left."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None
        self._waiting: list[pa.RecordBatch] = []
        self._num_waiting = 0
        self.num_rows = 0

    def __enter__(self) -> "PartWriter":
        self._sink = pa.OSFile(str(self._path), "wb")
        return self

    def add(self, columns: Mapping[str, pa.Array]) -> None:
        """Takes rows in; the first call decides the columns."""
        batch = pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))
        if self._writer is None:
            self._writer = pa.ipc.new_file(self._sink, batch.schema)
        self._waiting.append(batch)
        self._num_waiting += batch.num_rows
        self.num_rows += batch.num_rows
        if self._num_waiting >= BLOCK_ROWS:
            self._write(self._num_waiting // BLOCK_ROWS * BLOCK_ROWS)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._num_waiting:
            self._write(self._num_waiting)
        if self._writer is not None:
            self._writer.close()
        self._sink.close()

    def _write(self, num_rows: int) -> None:
        table = pa.Table.from_batches(self._waiting).combine_chunks()
        self._writer.write_table(table.slice(0, num_rows), max_chunksize=BLOCK_ROWS)
        rest = table.slice(num_rows)
        self._waiting, self._num_waiting = rest.to_batches(), rest.num_rows


def matrix(columns: Sequence[NDArray[Any]], dtype: type[np.generic]) -> pa.Array:
    """Columns of B values each as a column of lists of fixed size, one list a row."""
    rows_BC = np.stack(columns, axis=1, dtype=dtype)
    return pa.FixedSizeListArray.from_arrays(pa.array(rows_BC.reshape(-1)), len(columns))


def bag(values_N: NDArray[Any], offsets: NDArray[np.int64]) -> pa.Array:
    """Lists cut by `offsets`, one a row."""
    # Arrow's cast refuses what does not fit, where NumPy's would wrap around.
    return pa.ListArray.from_arrays(pa.array(offsets).cast(pa.int32()), pa.array(values_N))
