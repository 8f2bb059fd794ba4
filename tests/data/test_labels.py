import numpy as np
import pyarrow as pa
import pytest

from recplat.catalog.values import BadValue
from recplat.data.labels import read_labels, read_weights


@pytest.mark.parametrize(
    ("values", "positive", "expected"),
    [
        ([1, 5, 4], ">= 4", [0, 1, 1]),
        (["1", "5", "4.0"], ">= 4", [0, 1, 1]),
        ([1.0, 2.0], "== 1", [1, 0]),
        ([1, 2, 3], "in [1, 3]", [1, 0, 1]),
        ([1, 2], "!= 1", [0, 1]),
        (["click", "buy", "view"], "in [click, buy]", [1, 1, 0]),
        (["click", "view"], "!= view", [1, 0]),
        ([True, False], None, [1, 0]),
        (["0", "1"], None, [0, 1]),
        ([0.0, 1.0], None, [0, 1]),
    ],
)
def test_labels_are_1_where_the_condition_holds(values, positive, expected):
    assert read_labels(pa.array(values), positive).tolist() == expected


@pytest.mark.parametrize("positive", [None, ">= 4", "== x"])
def test_a_missing_label_is_refused_whatever_the_condition(positive):
    with pytest.raises(BadValue, match="missing") as refused:
        read_labels(pa.array(["1", None]), positive)
    assert refused.value.index == 1


def test_weights_may_be_0():
    assert read_weights(pa.array([0, 2])).tolist() == [0, 2]


@pytest.mark.parametrize("type_", [pa.float32(), pa.float16()])
def test_a_condition_is_as_precise_as_the_column(type_):
    column = pa.array(np.array([4.1, 4.0, 0.1], type_.to_pandas_dtype()))
    assert read_labels(column, ">= 4.1").tolist() == [1, 0, 0]
    assert read_labels(column, "in [0.1, 4]").tolist() == [0, 1, 1]
    assert read_labels(column, "< 1e300").tolist() == [1, 1, 1]
