"""A list column that holds nothing in one file has Arrow's type null or list<null> there."""

import pyarrow as pa
import pytest

NOTHING = [
    pa.nulls(2),
    pa.array([[], []], pa.list_(pa.null())),
    pa.array([None, []], pa.list_(pa.null())),
    pa.array([None, []], pa.list_(pa.int64())),
]


@pytest.mark.parametrize("nothing", NOTHING, ids=["null", "list_null", "null_and_list_null", "list_int"])
@pytest.mark.parametrize("order", [("1", "2"), ("2", "1")])
def test_it_reads_as_empty_bags_in_either_order_of_files(project, nothing, order):
    project.parquet(f"rows_{order[0]}.parquet", clicks=nothing)
    project.parquet(f"rows_{order[1]}.parquet", clicks=pa.array([[7, None, 8], [8]], pa.list_(pa.int64())))
    project.data["source"] = {"path": "rows_*.parquet"}
    project.features = [{"name": "clicks", "type": "sequence", "max_length": 5}]
    ids, lengths = project.rows().bags["clicks"]
    assert lengths.tolist() == ([0, 0, 2, 1] if order == ("1", "2") else [2, 1, 0, 0])
    assert ids.tolist() == [3, 2, 2]  # 8 twice: id 2; 7: id 3; the null inside is dropped


def test_nothing_in_any_file_is_an_empty_vocabulary(project):
    project.parquet(clicks=NOTHING[1])
    project.features = [{"name": "clicks", "type": "sequence", "max_length": 5}]
    assert project.rows().bags["clicks"][1].tolist() == [0, 0]
    assert project.statistics().features["clicks"].transforms[0].vocabulary.num_values == 0


def test_a_null_inside_a_list_is_counted(project):
    project.parquet(clicks=[["a", None], [None]])
    project.features = [{"name": "clicks", "type": "sequence", "max_length": 5}]
    assert project.rows().bags["clicks"][1].tolist() == [1, 0]
    assert '"list_nulls": 2' in (project.prepare() / "prepared.json").read_text()
