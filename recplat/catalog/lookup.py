"""A vocabulary in memory: finds the place of keys in it, many at a time or few."""

import functools

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import xxhash
from numpy.typing import NDArray

from recplat.catalog.hashing import hash_keys

# Arrow's index_in builds a hash table of the vocabulary in each call, about 30 ns a value; the binary search takes
# about 400 ns a key but needs no table. Below this many values for each key looked up the table is cheaper.
_VALUES_PER_KEY = 8
_DIGEST_STEP = 65_536


class Lookup:
    """The values of a vocabulary in their order: large_string, int64 or uint64, distinct, without nulls."""

    def __init__(self, values: pa.Array) -> None:
        self.values = values

    def find(self, distinct: pa.Array) -> NDArray[np.int64]:
        """The position of each key in the vocabulary, -1 where it isn't there."""
        distinct = distinct.cast(self.values.type) if distinct.type != self.values.type else distinct
        if len(self.values) <= _VALUES_PER_KEY * len(distinct):
            found = pc.index_in(distinct, value_set=self.values).fill_null(-1)
            return np.asarray(found.to_numpy(zero_copy_only=False), np.int64)
        return self._search(distinct)

    def _search(self, distinct: pa.Array) -> NDArray[np.int64]:
        hashes, order = self._sorted_hashes
        wanted = hash_keys(distinct)
        places = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
        positions = order[places]
        # Equal hashes don't prove equal keys.
        is_same = pc.equal(self.values.take(pa.array(positions)), distinct).to_numpy(zero_copy_only=False)
        return np.where(is_same, positions, -1)

    @functools.cached_property
    def _sorted_hashes(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        hashes = hash_keys(self.values)
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        if len(hashes) > 1 and bool((hashes[1:] == hashes[:-1]).any()):
            raise ValueError("two values of this vocabulary have the same 64-bit hash")
        return hashes, order


def digest(values: pa.Array) -> str:
    """xxh3-128 of the values in their order, in hexadecimal, however the array is laid out in memory."""
    if pa.types.is_integer(values.type):
        hasher = xxhash.xxh3_128(str(values.type).encode())
        hasher.update(values.to_numpy(zero_copy_only=False).view("<u8").tobytes())
        return str(hasher.hexdigest())
    hasher = xxhash.xxh3_128(b"string")
    hasher.update(pc.binary_length(values).to_numpy(zero_copy_only=False).astype("<u8").tobytes())
    for start in range(0, len(values), _DIGEST_STEP):
        hasher.update("".join(values.slice(start, _DIGEST_STEP).to_pylist()).encode())
    return str(hasher.hexdigest())
