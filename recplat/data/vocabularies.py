"""Counting keys, ordering them into vocabularies, and the files that hold their values."""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from recplat.catalog.lookup import digest
from recplat.catalog.values import Keys
from recplat.lang.statistics import FeatureStatistics, Statistics, ValueType, Vocabulary

_FOLDER = "vocabularies"
#: Counts of batches that are kept apart before they are merged: merging costs as much as what is there already.
_MIN_WAITING = 1 << 18


class KeyCounter:
    """How often each key occurs. Holds the distinct keys and a few batches."""

    def __init__(self, value_type: ValueType) -> None:
        type_ = pa.large_string() if value_type == "string" else pa.type_for_alias(value_type)
        self._schema = pa.schema([("value", type_), ("count", pa.int64())])
        self._merged = self._schema.empty_table()
        self._waiting: list[pa.Table] = []
        self._num_waiting = 0

    def add(self, keys: Keys) -> None:
        """Takes keys in; missing ones don't count."""
        counts = np.bincount(keys.codes_N[keys.codes_N >= 0], minlength=len(keys.distinct))
        values = keys.distinct.cast(self._schema.field("value").type)
        self._waiting.append(pa.table([values, pa.array(counts, pa.int64())], schema=self._schema))
        self._num_waiting += len(values)
        if self._num_waiting > max(_MIN_WAITING, self._merged.num_rows):
            self._merge()

    def num_at_most(self) -> int:
        """No more distinct keys than this have been seen."""
        return int(self._merged.num_rows) + self._num_waiting

    def absorb(self, other: "KeyCounter") -> None:
        """Takes in all that another counter, of keys of the same type, has counted."""
        self._waiting += [other._merged, *other._waiting]

    def result(self) -> tuple[pa.Array, NDArray[np.int64]]:
        """The distinct keys, most frequent first, equals by value (texts by their UTF-8 bytes); and their counts."""
        self._merge()
        order = pc.sort_indices(self._merged, sort_keys=[("count", "descending"), ("value", "ascending")])
        table = self._merged.take(order).combine_chunks()
        values = table.column("value").combine_chunks()
        return _one_array(values), np.asarray(table.column("count").to_numpy(), np.int64)

    def _merge(self) -> None:
        joined = pa.concat_tables([self._merged, *self._waiting])
        summed = joined.group_by("value", use_threads=False).aggregate([("count", "sum")])
        self._merged = summed.rename_columns({"count_sum": "count"}).select(["value", "count"]).cast(self._schema)
        self._waiting, self._num_waiting = [], 0


def save_vocabulary(values: pa.Array, feature: str, position: int, folder: Path) -> Vocabulary:
    """Writes the values of a vocabulary below the folder of a lock.

    The file's name holds part of its digest: older locks keep their values.
    """
    known = digest(values)
    file = f"{_FOLDER}/{feature}.{position}.{known[:16]}.arrow"
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    table = pa.table({"value": values})
    try:
        with pa.OSFile(str(temporary), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return Vocabulary(num_values=len(values), digest=known, file=file)


def have_vocabularies(statistics: Statistics, folder: Path) -> bool:
    """Whether the values of every vocabulary of the lock are there."""
    return all(
        (folder / learned.vocabulary.file).is_file()
        for feature in statistics.features.values()
        for learned in feature.transforms
        if learned.vocabulary is not None
    )


def load_vocabularies(feature: FeatureStatistics, folder: Path) -> Mapping[int, pa.Array]:
    """The vocabularies of a feature by the position of their transform.

    Raises:
        ValueError: a file is missing or holds other values than the lock says.
    """
    return {
        position: _load(learned.vocabulary, folder)
        for position, learned in enumerate(feature.transforms)
        if learned.vocabulary is not None
    }


def _load(vocabulary: Vocabulary, folder: Path) -> pa.Array:
    path = folder / vocabulary.file
    try:
        with pa.memory_map(str(path)) as source:
            values = _one_array(pa.ipc.open_file(source).read_all().column("value").combine_chunks())
    except (OSError, pa.ArrowException) as error:
        raise ValueError(f"the vocabulary `{path}` can't be read: {error}") from error
    if digest(values) != vocabulary.digest:
        raise ValueError(f"the vocabulary `{path}` holds other values than its lock says")
    return values


def _one_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) and column.num_chunks else column
