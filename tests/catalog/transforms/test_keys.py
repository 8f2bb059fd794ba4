import numpy as np
import pyarrow as pa
import pytest

from recplat.catalog import lookup
from recplat.catalog.lookup import Lookup, digest
from recplat.catalog.values import BadValue, Keys
from tests.catalog.transforms.apply_builder import CATALOG, apply, keys


def test_vocabulary_ids_follow_its_order_with_missing_0_and_unknown_1():
    outcome = apply("vocabulary", keys(["b", "a", None, "new", "a"]), Lookup(pa.array(["a", "b"], pa.large_string())))
    assert outcome.values.tolist() == [3, 2, 0, 1, 2]
    assert outcome.counts == {"unknown": 1}


def test_an_unknown_key_is_refused_where_it_should():
    with pytest.raises(BadValue, match="`new` is not in the vocabulary") as refused:
        apply("vocabulary", keys(["a", None, "new"]), Lookup(pa.array(["a"], pa.large_string())), unknown="error")
    assert refused.value.index == 2


@pytest.mark.parametrize(
    ("options", "expected"), [({}, "abcd"), ({"min_count": 2}, "ab"), ({"max_size": 3}, "abc"), ({"min_count": 9}, "")]
)
def test_a_vocabulary_keeps_the_most_frequent_keys(options, expected):
    made = CATALOG.options("transforms", "vocabulary")(**options)
    select = CATALOG.implementation(made, "transform").select
    assert "".join(select(made, pa.array(list("abcd")), np.array([5, 2, 1, 1])).to_pylist()) == expected


@pytest.mark.parametrize("values", [[f"key {i}" for i in range(1000)], list(range(-500, 500))])
def test_both_ways_to_look_up_find_the_same(values):
    array = pa.array(values)
    known = Lookup(array.cast(pa.large_string()) if pa.types.is_string(array.type) else array)
    wanted = pa.array([values[7], values[999], values[0], values[0] * 2 if isinstance(values[0], int) else "no key"])
    few = known.find(wanted)
    many = known.find(pa.concat_arrays([wanted] * 100))
    assert len(values) > lookup._VALUES_PER_KEY * len(wanted)
    assert few.tolist() == many[:4].tolist() == [7, 999, 0, -1]


def test_a_digest_depends_on_values_and_order_and_not_on_layout():
    values = pa.array(["a", "bc", ""])
    assert digest(values) == digest(pa.array(["x", "a", "bc", ""]).slice(1)) == digest(values.cast(pa.large_string()))
    others = [["ab", "c", ""], ["bc", "a", ""], ["a", "bc"]]
    assert digest(values) not in {digest(pa.array(other)) for other in others}
    assert digest(pa.array([1, 2])) != digest(pa.array([2, 1]))


def test_fill_gives_a_missing_key_an_id():
    filled = apply("fill", keys(["a", None]), value="b").values
    assert apply("vocabulary", filled, Lookup(pa.array(["a", "b"], pa.large_string()))).values.tolist() == [2, 3]
    assert apply("identity", apply("fill", keys([5, None], "int64"), value=7).values, num_ids=8).values.tolist() == [
        7,
        9,
    ]
    with pytest.raises(BadValue, match="whole numbers"):
        apply("fill", keys([5, None], "int64"), value="x")


@pytest.mark.parametrize("value", [-1, 10**30])
def test_fill_refuses_a_number_beyond_the_columns_type(value):
    with pytest.raises(BadValue, match="uint64") as refused:
        apply("fill", Keys(pa.array([5], pa.uint64()), np.array([0, -1], np.int32)), value=value)
    assert refused.value.index == 1
