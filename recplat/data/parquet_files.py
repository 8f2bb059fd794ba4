"""Parquet files."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from recplat.data.files import DataFile, refuse_twice
from recplat.spec.types import Source

_BATCH_ROWS = 65_536


def schema(file: DataFile, source: Source) -> dict[str, pa.DataType]:
    """The columns and their types, in their order."""
    with _open(file) as parquet:
        found = parquet.schema_arrow
    refuse_twice(found.names, file, "name each column once")
    return {field.name: field.type for field in found}


def batches(file: DataFile, source: Source, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The rows in their order, with these columns."""
    with _open(file) as parquet:
        for batch in parquet.iter_batches(_BATCH_ROWS, columns=list(columns), use_threads=True):
            yield batch.select(list(columns))


def num_rows(file: DataFile, source: Source) -> int:
    with _open(file) as parquet:
        return int(parquet.metadata.num_rows)


def _open(file: DataFile) -> Any:
    try:
        return pq.ParquetFile(file.filesystem.open_input_file(file.path))
    except pa.ArrowInvalid as error:
        message = f"`{file.shown}` is not a Parquet file, or it is cut off: {str(error).splitlines()[0]}"
        help = "write the file again, or say `format: csv` if it is a text file"
        raise file.problem("data-parquet-broken", message, help) from error
