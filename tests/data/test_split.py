import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

from recplat.data.batches import batches
from recplat.data.part_reader import PartReader

FEATURES = [{"name": "n", "type": "numeric"}]


def numbers(project, part):
    return project.rows(part).dense.ravel().astype(int).tolist()


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_random_split_is_numpys_permutation_cut_in_order(project, suffix):
    project.features = FEATURES
    if suffix == "parquet":
        project.parquet(n=list(range(1003)))
    else:
        project.text("rows.csv", "label,n\n" + "".join(f"0,{i}\n" for i in range(1003)))
    project.data["split"] = {"by": "random", "fractions": [0.8, 0.1, 0.1], "seed": 2020}
    order = np.random.default_rng(2020).permutation(1003)
    expected = {"train": order[:802], "eval": order[802:903], "test": order[903:]}
    assert {part: numbers(project, part) for part in expected} == {p: sorted(r.tolist()) for p, r in expected.items()}


def test_two_fractions_leave_no_test_part(project):
    project.parquet(n=list(range(10)))
    project.features = FEATURES
    project.data["split"] = {"by": "random", "fractions": [0.75, 0.25]}
    assert len(numbers(project, "train")) + len(numbers(project, "eval")) == 10
    assert set(project.statistics().parts) == {"train", "eval"}


@pytest.mark.parametrize(
    "times",
    [
        [30, 10, 20, 20, 20, 5],
        [30.0, 10.0, 20.0, 20.0, 20.0, 5.5],
        [dt.datetime(2024, 1, d) for d in (30, 10, 20, 20, 20, 5)],
        [dt.date(2024, 1, d) for d in (30, 10, 20, 20, 20, 5)],
        ["30", "10", "20", "20", "20", "5"],
        [f"2024-01-{d:02} 12:00:00" for d in (30, 10, 20, 20, 20, 5)],
    ],
)
def test_a_split_by_time_orders_by_time_then_ties_then_source(project, times):
    project.parquet(n=list(range(6)), t=times, tie=["b", "x", "b", "a", "a", "x"])
    project.features = FEATURES
    project.data["split"] = {"by": "time", "column": "t", "ties": ["tie"], "fractions": [0.5, 0.34, 0.16]}
    # order: 5, 1, 3, 4, 2, 0; within a part the order of the source
    assert [numbers(project, part) for part in ("train", "eval", "test")] == [[1, 3, 5], [2, 4], [0]]


@pytest.mark.parametrize(("times", "code"), [([1, None], "data-time-missing"), (["1", "soon"], "data-value-type")])
def test_a_row_without_a_time_is_refused(project, times, code):
    project.parquet(n=[1, 2], t=times)
    project.features = FEATURES
    project.data["split"] = {"by": "time", "column": "t"}
    problem = project.problem()
    assert (problem.code, problem.path) == (code, "spec.data.split.column")
    assert "row 2 of `rows.parquet`" in problem.message


@pytest.mark.parametrize("parts", [["1", "2", "3", "1", None], [1, 2, 3, 1, None]])
def test_a_split_by_column_leaves_other_rows_out_and_counts_them(project, parts):
    project.parquet(n=list(range(5)), part=parts)
    project.features = FEATURES
    project.data["split"] = {"by": "column", "column": "part", "train": ["1"], "eval": ["2"]}
    assert [numbers(project, part) for part in ("train", "eval")] == [[0, 3], [1]]
    assert PartReader(project.prepare(), "train").info.num_dropped == 2


def test_separate_sources(project):
    for index, part in enumerate(("train", "eval", "test")):
        project.parquet(f"{part}.parquet", n=[index])
    project.data = {part: {"path": f"{part}.parquet"} for part in ("train", "eval", "test")} | {
        "label": {"column": "label"}
    }
    project.features = FEATURES
    assert [numbers(project, part) for part in ("train", "eval", "test")] == [[0], [1], [2]]


def test_an_empty_part_is_a_part_without_batches(project):
    project.parquet(n=[1, 2])
    project.features = FEATURES
    reader = PartReader(project.prepare(), "test")
    options = {"batch_size": 4, "rank": 0, "num_ranks": 1, "seed": 0, "epoch": 0, "shuffle": False, "window_rows": 9}
    assert reader.num_rows == 0
    assert list(batches(reader, **options)) == []


@pytest.mark.parametrize(
    "times",
    [
        pa.array(["2024-01-02", "2024-01-01"], pa.string_view()),
        pa.array([b"2024-01-02", b"2024-01-01"]),
        ["2024-01-01T23:30Z", "2024-01-02T00:00+02:00"],
    ],
)
def test_times_as_text_of_any_kind_and_with_time_zones(project, times):
    project.parquet(n=[0, 1], t=times)
    project.features = FEATURES
    project.data["split"] = {"by": "time", "column": "t", "fractions": [0.5, 0.5]}
    assert [numbers(project, part) for part in ("train", "eval")] == [[1], [0]]


@pytest.mark.parametrize(
    "ties",
    [
        pa.array(["b", "a"]).dictionary_encode(),
        pa.array(["b", "a"], pa.string_view()),
        pa.array(np.array([2, 1], np.float16)),
        pa.array([2**64 - 1, 2**64 - 2], pa.uint64()),
    ],
)
def test_ties_of_any_type(project, ties):
    project.parquet(n=[0, 1], t=[1, 1], k=ties)
    project.features = FEATURES
    project.data["split"] = {"by": "time", "column": "t", "ties": ["k"], "fractions": [0.5, 0.5]}
    assert [numbers(project, part) for part in ("train", "eval")] == [[1], [0]]


def test_ties_of_two_widths_in_two_files(project):
    project.parquet("rows_1.parquet", n=[0], t=[1], k=pa.array([2], pa.int32()))
    project.parquet("rows_2.parquet", n=[1], t=[1], k=pa.array([1], pa.int64()))
    project.data["source"] = {"path": "rows_*.parquet"}
    project.features = FEATURES
    project.data["split"] = {"by": "time", "column": "t", "ties": ["k"], "fractions": [0.5, 0.5]}
    assert [numbers(project, part) for part in ("train", "eval")] == [[1], [0]]
    project.parquet("rows_2.parquet", n=[1], t=[1], k=["x"])
    assert project.problem().path == "spec.data.split.ties.0"


@pytest.mark.parametrize(
    ("times", "row", "words"),
    [
        (["2024-01-02", "soon"], 2, "`soon` is not a number or a date"),
        (["2024-01-02", None, "7"], 3, "`7` is a number, where others are a date"),
        (["2024-01-02", "2024-01-02T00:00Z"], 2, "a date with a time zone"),
    ],
)
def test_the_row_that_is_no_time_is_named(project, times, row, words):
    project.parquet(n=list(range(len(times))), t=times)
    project.features = FEATURES
    project.data["split"] = {"by": "time", "column": "t"}
    problem = project.problem()
    assert f"row {row} of" in problem.message
    assert words in problem.message
