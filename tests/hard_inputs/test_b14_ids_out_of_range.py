"""Ids outside of a table of ten keys: refused by name and row, or counted under a policy; never cut to 32 bits."""

import pyarrow as pa
import pytest

from recplat.catalog.values import BadValue
from recplat.data.features import computer
from recplat.data.part_reader import PartReader

GOOD = [0, 9]
OUTSIDE = [-1, 10, 11, 2**31 + 5, 2**63 - 1]


def identity(policy):
    return [
        {
            "name": "item",
            "type": "categorical",
            "transform": {"type": "identity", "num_ids": 10, "out_of_range": policy},
        }
    ]


@pytest.mark.parametrize("id_", OUTSIDE)
@pytest.mark.parametrize("part", ["a", "b", "c"])
def test_it_is_refused_with_feature_id_and_row_in_every_part(project, id_, part):
    project.parquet(item=[*GOOD, id_], part=["a", "a", part])
    project.features = identity("error")
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-value-out-of-range", "spec.features.item.column")
    assert problem.message == f"feature `item`, row 3 of `rows.parquet`: key {id_} is outside of 0..9"


@pytest.mark.parametrize(("policy", "expected"), [("oov", [1] * 5), ("modulo", [2 + id_ % 10 for id_ in OUTSIDE])])
def test_a_policy_is_the_same_in_every_part_and_in_a_request(project, policy, expected):
    project.parquet(item=(GOOD + OUTSIDE) * 3, part=sorted("abc" * 7))
    project.features = identity(policy)
    for part in ("train", "eval", "test"):
        assert project.rows(part).ids.ravel().tolist() == [2, 11, *expected]
        assert PartReader(project.prepare(), part).info.counts["item"]["out_of_range"] == 5
    loaded = project.load()
    served = computer(loaded.job.spec.features[0], loaded.catalog, project.statistics().features["item"], {})
    assert [served.compute([pa.array([id_])]).values.tolist() for id_ in OUTSIDE] == [[id_] for id_ in expected]


def test_a_request_out_of_range_is_refused_too(project):
    project.parquet(item=GOOD)
    project.features = identity("error")
    loaded = project.load()
    served = computer(loaded.job.spec.features[0], loaded.catalog, project.statistics().features["item"], {})
    with pytest.raises(BadValue, match="key 10 is outside"):
        served.compute([pa.array([10])])


def test_an_unsigned_id_beyond_signed_ones_is_out_of_range_and_not_negative(project):
    project.parquet(item=pa.array([0, 2**64 - 1], pa.uint64()))
    project.features = identity("error")
    assert f"key {2**64 - 1} is outside" in project.problem().message


def test_a_bad_id_in_a_list_names_its_row(project):
    project.parquet(items=[[1, 2], None, [3, 12]])
    transform = identity("error")[0]["transform"]
    project.features = [{"name": "items", "type": "categorical", "multivalent": True, "transform": transform}]
    assert "row 3 of `rows.parquet`: key 12" in project.problem().message
