import numpy as np
import pyarrow as pa
import pytest

from recplat.catalog.reading import as_keys, as_numbers, keep_ends, read_lists, read_scalar
from recplat.catalog.value_types import value_type_of
from recplat.catalog.values import BadValue, UnfitType

INF, NAN = float("inf"), float("nan")


def key_list(keys):
    return [None if code < 0 else keys.distinct[int(code)].as_py() for code in keys.codes_N]


def test_numbers_beyond_float32_are_clipped_and_what_is_not_finite_is_missing():
    values, counts = as_numbers(pa.array([1.0, None, NAN, INF, -INF, 1e300, -1e300]))
    np.testing.assert_array_equal(values[:5], [1, NAN, NAN, NAN, NAN])
    assert np.isfinite(values[5:].astype(np.float32)).all()
    assert counts == {"nulls": 1, "non_finite": 3, "clipped": 2}


@pytest.mark.parametrize(
    "array",
    [
        pa.array(["1", " 2.5", "", "NA", "nan", "null", "None", "\\N", "1e3"]),
        pa.array(["1", " 2.5", "", "NA", "nan", "null", "None", "\\N", "1e3"]).dictionary_encode(),
    ],
)
def test_texts_are_read_as_numbers_where_a_number_is_wanted(array):
    values, counts = as_numbers(array)
    np.testing.assert_array_equal(values, [1, 2.5, NAN, NAN, NAN, NAN, NAN, NAN, 1000])
    assert counts["nulls"] == 6


def test_a_text_that_is_no_number_is_refused_at_its_index():
    with pytest.raises(BadValue, match="`thirty` is not a number") as refused:
        as_numbers(pa.array(["1", None, "thirty"]))
    assert refused.value.index == 2


def test_texts_stay_what_they_are():
    assert key_list(as_keys(pa.array(["01", "1", "1.0", "NA", "", None, " a"]), "string")) == [
        "01", "1", "1.0", "NA", "", None, " a",
    ]  # fmt: skip


@pytest.mark.parametrize("type_", [pa.int64(), pa.float64(), pa.string(), pa.decimal128(20, 0), pa.int16()])
def test_whole_numbers_are_read_from_any_type_that_holds_them(type_):
    array = pa.array([7, None, 12, 7]).cast(type_)
    assert key_list(as_keys(array, "int64")) == [7, None, 12, 7]


@pytest.mark.parametrize(
    ("array", "index", "words"),
    [
        (pa.array([1.0, NAN, 2.5]), 2, "2.5 is not a whole number"),
        (pa.array([1.0, 2.0**60 + 2**10]), None, None),
        (pa.array(["7", "7", "1.0"]), 2, "`1.0` is not a whole number"),
        (pa.array(["7", "12345678901234567890"]), 1, "fits 64 bits"),
        (pa.array([2**63], pa.uint64()), 0, "does not fit"),
    ],
)
def test_what_is_no_whole_number_is_refused_at_its_index(array, index, words):
    if index is None:
        assert key_list(as_keys(array, "int64"))[1] == 2**60 + 2**10
        return
    with pytest.raises(BadValue, match=words) as refused:
        as_keys(array, "int64")
    assert refused.value.index == index


def test_lists_lose_their_nulls_and_a_null_list_is_empty():
    flat = read_lists(pa.array([["a", None, "b"], None, [], ["a"], [None]]), "string", None)
    assert key_list(flat.values) == ["a", "b", "a"]
    assert flat.offsets.tolist() == [0, 2, 2, 2, 3, 3]
    assert flat.counts == {"nulls": 1, "clipped": 0, "list_nulls": 2}


@pytest.mark.parametrize(
    "array",
    [
        pa.array([[1, 2], [3, 4]], pa.list_(pa.int64(), 2)),
        pa.array([[9], [1, 2], [3, 4], [9]]).slice(1, 2),
        pa.array([[1, 2], [3, 4]], pa.large_list(pa.int32())),
        pa.array([[1.0, 2.0, NAN], [3.0, 4.0]]),
    ],
)
def test_lists_of_every_kind_give_the_same(array):
    flat = read_lists(array, "int64", None)
    assert (key_list(flat.values), flat.offsets.tolist()) == ([1, 2, 3, 4], [0, 2, 4])


@pytest.mark.parametrize("array", [pa.nulls(3), pa.array([[], None, [None]], pa.list_(pa.null()))])
@pytest.mark.parametrize("value_type", ["string", "int64", "uint64", "float64"])
def test_a_column_of_nothing_is_empty_bags(array, value_type):
    flat = read_lists(array, value_type, None)
    assert (flat.num_values, flat.offsets.tolist()) == (0, [0, 0, 0, 0])


def test_a_separator_divides_texts_and_empty_pieces_are_dropped():
    flat = read_lists(pa.array(["Action | Sci-Fi", "", None, "|Drama||", "Drama"]), "string", "|")
    assert key_list(flat.values) == ["Action", "Sci-Fi", "Drama", "Drama"]
    assert flat.offsets.tolist() == [0, 2, 2, 2, 3, 4]


def test_a_bad_value_in_a_list_is_refused_at_its_row():
    with pytest.raises(BadValue) as refused:
        read_lists(pa.array([["1", "2"], [], None, ["3", "x"]]), "int64", None)
    assert refused.value.index == 3


@pytest.mark.parametrize(("last", "expected"), [(True, ["c", "d", "e"]), (False, ["b", "c", "e"])])
def test_a_sequence_is_cut_at_the_right_end(last, expected):
    flat = keep_ends(read_lists(pa.array([["b", "c", "d"], [], ["e"]]), "string", None), 2, last=last)
    assert key_list(flat.values) == expected
    assert flat.offsets.tolist() == [0, 2, 2, 3]
    assert flat.counts["truncated"] == 1


@pytest.mark.parametrize(
    ("types", "key_type", "expected"),
    [
        ([pa.int32(), pa.int64()], "auto", "int64"),
        ([pa.uint64(), pa.null()], "auto", "uint64"),
        ([pa.uint64(), pa.int8()], "auto", "int64"),
        ([pa.string(), pa.dictionary(pa.int8(), pa.string())], "auto", "string"),
        ([pa.bool_()], "auto", "string"),
        ([], "auto", "string"),
        ([pa.int64()], "string", "string"),
        ([pa.string()], "int", "int64"),
        ([pa.float64()], "int", "int64"),
    ],
)
def test_the_type_of_keys_is_that_of_all_files_together(types, key_type, expected):
    assert value_type_of(types, number=False, key_type=key_type) == expected


@pytest.mark.parametrize("types", [[pa.float64()], [pa.int64(), pa.string()], [pa.struct([("a", pa.int8())])]])
def test_types_that_make_no_keys_or_do_not_go_together_are_refused(types):
    with pytest.raises(UnfitType):
        value_type_of(types, number=False, key_type="auto")


def test_counts_of_a_scalar_column():
    assert read_scalar(pa.array(["a", None]), "string").counts == {"nulls": 1}
