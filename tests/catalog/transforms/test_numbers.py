import numpy as np
import pytest

from recplat.catalog.values import BadValue
from recplat.lang.statistics import Moments
from tests.catalog.transforms.apply_builder import apply, numbers

NAN = float("nan")


def moments(values):
    return Moments(count=len(values), mean=np.mean(values), std=np.std(values), min=min(values), max=max(values))


def test_zscore_of_the_training_rows_has_mean_0_and_spread_1():
    values = np.random.default_rng(0).lognormal(3, 1, 1000)
    scores = apply("zscore", values, moments(values)).values
    assert (scores.mean(), scores.std()) == (pytest.approx(0, abs=1e-12), pytest.approx(1, abs=1e-12))


def test_minmax_uses_the_range_of_the_training_rows():
    assert apply("minmax", numbers(10, 15, 20, 30), moments([10, 20])).values.tolist() == [0, 0.5, 1, 2]


@pytest.mark.parametrize("name", ["zscore", "minmax"])
def test_a_column_of_one_value_gives_0_and_keeps_what_is_missing(name):
    constant = Moments(count=3, mean=0.1, std=0.0, min=0.1, max=0.1)
    np.testing.assert_array_equal(apply(name, numbers(0.1, 7, NAN), constant).values, [0, 0, NAN])


@pytest.mark.parametrize(
    ("negative", "expected"), [("clip", [0, 0, 0, np.log(2)]), ("signed", [-np.log(4), -np.log(2), 0, np.log(2)])]
)
def test_log1p_of_negative_numbers_is_finite_and_counted(negative, expected):
    outcome = apply("log1p", numbers(-3, -1, 0, 1), negative=negative)
    np.testing.assert_allclose(outcome.values, expected, rtol=1e-15)
    assert outcome.counts == {"negative": 2}


def test_log1p_refuses_a_negative_number_where_it_should():
    with pytest.raises(BadValue, match="negative number -3") as refused:
        apply("log1p", numbers(1, NAN, -3), negative="error")
    assert refused.value.index == 2


def test_clip_moves_numbers_into_the_range_and_counts_them():
    outcome = apply("clip", numbers(-5, 0, 3, 9, NAN), min=0, max=5)
    np.testing.assert_array_equal(outcome.values, [0, 0, 3, 5, NAN])
    assert outcome.counts == {"clipped": 2}
    assert apply("clip", numbers(-5, 9), max=5).values.tolist() == [-5, 5]


def test_a_boundary_belongs_to_the_bucket_above_it():
    outcome = apply("boundaries", numbers(17, 18, 24.9, 25, 1e30, NAN), at=(18.0, 25.0))
    assert outcome.values.tolist() == [2, 3, 3, 4, 4, 0]


def test_fill_puts_its_value_where_a_number_is_missing():
    outcome = apply("fill", numbers(1, NAN, NAN), value=-1)
    assert outcome.values.tolist() == [1, -1, -1]
    assert outcome.counts == {"filled": 2}


def test_fill_refuses_a_text_among_numbers():
    with pytest.raises(BadValue, match="`none` into a column of numbers"):
        apply("fill", numbers(1, NAN), value="none")


@pytest.mark.parametrize("value", ["nan", "1e999", 10**400])
def test_fill_refuses_what_is_no_finite_number(value):
    with pytest.raises(BadValue, match="numbers"):
        apply("fill", numbers(1, NAN), value=value)
