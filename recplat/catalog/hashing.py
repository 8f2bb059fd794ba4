"""Hashes of keys that never change: between processes, machines or versions. Test vectors hold them fixed."""

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def splitmix64(values_N: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The first output of SplitMix64 seeded with each value (Steele, Lea, Flood 2014): a bijection, wraps around."""
    z = values_N + _GAMMA
    z ^= z >> np.uint64(30)
    z *= _MULTIPLIERS[0]
    z ^= z >> np.uint64(27)
    z *= _MULTIPLIERS[1]
    z ^= z >> np.uint64(31)
    return z


def hash_keys(distinct: pa.Array) -> NDArray[np.uint64]:
    """xxh3-64 (seed 0) of the UTF-8 bytes of texts, SplitMix64 of whole numbers; negative ones in two's complement.

    `distinct`: string, int64 or uint64, without nulls.
    """
    if pa.types.is_integer(distinct.type):
        return splitmix64(distinct.to_numpy(zero_copy_only=False).view(np.uint64))
    digest = xxhash.xxh3_64_intdigest
    return np.fromiter((digest(text) for text in distinct.cast(pa.binary()).to_pylist()), np.uint64, len(distinct))


def mix(hashes_N: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """Another hash function for each seed, from the same hashes."""
    return splitmix64(hashes_N ^ splitmix64(np.asarray([seed], np.uint64)))
