"""No number, however odd, leaves a chain as NaN or infinity; or the row is refused before training."""

import numpy as np
import pytest

ODD = [-3.0, -1.0, 0.0, float("nan"), 1e30, None, float("inf"), float("-inf"), 1e300, -1e300, 5e-324]
CHAINS = [
    [],
    ["log1p"],
    [{"type": "log1p", "negative": "signed"}],
    ["zscore"],
    ["minmax"],
    ["log1p", "zscore"],
    ["zscore", "log1p", "minmax"],
    [{"type": "clip", "min": -1, "max": 1}, "zscore"],
    [{"type": "fill", "value": 3}, "log1p", "minmax"],
]


def finite(project, column, chain):
    project.parquet(x=column)
    project.features = [{"name": "x", "type": "numeric", "transform": chain}]
    dense = project.rows().dense
    assert np.isfinite(dense).all()
    return dense.ravel().tolist()


@pytest.mark.parametrize("chain", CHAINS)
def test_odd_numbers_become_finite_ones(project, chain):
    finite(project, ODD, chain)


@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e30, 1e300])
@pytest.mark.parametrize("transform", ["zscore", "minmax"])
def test_a_column_of_one_value_becomes_0(project, transform, value):
    assert finite(project, [value] * 1000, [transform]) == [0.0] * 1000


@pytest.mark.parametrize("chain", CHAINS[:7])
@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_a_column_of_nothing_becomes_0(project, chain, nothing):
    assert finite(project, np.array([nothing] * 5, np.float64) if nothing else [None] * 5, chain) == [0.0] * 5


def test_what_is_missing_is_counted(project):
    finite(project, ODD, ["log1p"])
    text = (project.prepare() / "prepared.json").read_text()
    for count in ('"nulls": 1', '"non_finite": 3', '"negative": 3', '"clipped": 2'):
        assert count in text


def test_a_refused_number_names_column_and_row(project):
    project.parquet(x=ODD)
    project.features = [{"name": "x", "type": "numeric", "transform": {"type": "log1p", "negative": "error"}}]
    problem = project.problem()
    assert problem.code == "data-value-negative"
    assert "feature `x`, row 1 of `rows.parquet`" in problem.message
