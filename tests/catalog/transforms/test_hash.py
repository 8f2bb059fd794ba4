import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from recplat.catalog.hashing import hash_keys, mix, splitmix64
from tests.catalog.transforms.apply_builder import apply, keys

VECTORS = json.loads((Path(__file__).parent / "hash_vectors.json").read_text())


@pytest.mark.parametrize(("key", "seed", "buckets", "id_"), VECTORS)
def test_a_key_has_the_id_that_was_committed(key, seed, buckets, id_):
    value_type = "string" if isinstance(key, str) else "uint64" if key > 2**63 - 1 else "int64"
    array = pa.array([key], pa.string() if value_type == "string" else pa.type_for_alias(value_type))
    assert apply("hash", keys(array, value_type), buckets=buckets, seed=seed).values.tolist() == [id_]


def test_the_hashes_are_the_published_ones():
    # xxHash's own test of the empty text; SplitMix64's first outputs for seeds 0 and 1234567.
    assert hash_keys(pa.array([""])).tolist() == [0x2D06800538D394C2]
    assert splitmix64(np.array([0, 1234567], np.uint64)).tolist() == [0xE220A8397B1DCDAF, 6457827717110365317]


def test_a_missing_key_is_id_0_and_a_known_one_never_below_2():
    ids = apply("hash", keys(["a", None, "b", "a"]), buckets=1).values
    assert ids.tolist() == [2, 0, 2, 2]


def test_every_bucket_is_used_and_none_beyond():
    ids = apply("hash", keys(list(range(10_000)), "int64"), buckets=97).values
    assert set(ids.tolist()) == set(range(2, 99))


def test_seeds_give_independent_buckets():
    hashes = hash_keys(pa.array([f"key {i}" for i in range(5_000)]))
    same = (mix(hashes, 0) % np.uint64(50) == mix(hashes, 1) % np.uint64(50)).mean()
    assert same == pytest.approx(1 / 50, abs=0.01)
