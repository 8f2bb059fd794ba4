"""Every fault of the data names its file, the row where there is one, the place in the spec, and a remedy."""

import gzip
import os
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recplat.diagnostics import Problems

NUMERIC = {"name": "age", "type": "numeric"}
USER = {"name": "user", "type": "categorical"}


def test_a_missing_file(project):
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-file-missing", "spec.data.source.path")
    assert "rows.parquet" in problem.message


@pytest.mark.parametrize("path", ["nothing_*.csv", "empty_folder"])
def test_a_pattern_or_folder_without_files(project, path):
    (project.root / "empty_folder").mkdir()
    project.data["source"] = {"path": path}
    project.features = [NUMERIC]
    assert project.problem().code == "data-no-match"


def test_an_empty_file(project):
    project.text("rows.csv", "")
    project.features = [NUMERIC]
    assert project.problem().code == "data-file-empty"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(project):
    project.parquet(age=[1])
    (project.root / "rows.parquet").chmod(0)
    project.features = [NUMERIC]
    assert project.problem().code in ("data-file-unreadable", "data-parquet-broken")


def test_an_ending_that_says_nothing(project):
    project.text("rows.dat", "age\n1\n")
    project.features = [NUMERIC]
    problem = project.problem()
    assert problem.code == "data-format-unknown"
    assert "format: csv" in problem.help


def test_a_wrong_delimiter_is_recognised(project):
    project.text("rows.csv", "part;label;age\na;1;3\n")
    project.features = [NUMERIC]
    problem = project.problem()
    assert problem.code == "data-delimiter-wrong"
    assert "`;`" in problem.message


def test_missing_columns_are_all_reported_with_the_nearest_name(project):
    project.parquet(Age=[1], users=["x"])
    project.features = [NUMERIC, USER]
    with pytest.raises(Problems) as raised:
        project.prepare()
    problems = raised.value.diagnostics
    assert [(p.code, p.path) for p in problems] == [
        ("data-column-missing", "spec.features.age.column"),
        ("data-column-missing", "spec.features.user.column"),
    ]
    assert "`Age`" in problems[0].help
    assert "`users`" in problems[1].help
    assert "`part`, `label`, `Age`, `users`" in problems[0].notes[0]


def test_a_column_missing_in_a_later_file_only(project):
    project.parquet("rows_1.parquet", age=[1])
    project.parquet("rows_2.parquet", agee=[1])
    project.data["source"] = {"path": "rows_*.parquet"}
    project.features = [NUMERIC]
    problem = project.problem()
    assert "rows_2.parquet" in problem.message


def test_two_columns_of_one_name(project):
    project.text("rows.csv", "part,label,age,age\na,1,3,4\n")
    project.features = [NUMERIC]
    assert project.problem().code == "data-column-twice"


def test_a_row_with_too_few_values_names_its_line(project):
    project.text("rows.csv", "part,label,age\na,1,3\na,1\n")
    project.features = [NUMERIC]
    problem = project.problem()
    assert problem.code == "data-row-malformed"
    assert "line 3" in problem.message
    assert problem.notes == ("the row: a,1",)


def test_a_text_in_a_numeric_column_names_file_row_and_value(project):
    project.text("rows.csv", "part,label,age\na,1,3\nb,0,4\na,1,thirty\n")
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-value-type", "spec.features.age.column")
    assert problem.message == "feature `age`, row 3 of `rows.csv`: `thirty` is not a number"


def test_rows_are_counted_in_each_file(project):
    project.text("1.csv", "part,label,age\na,1,3\na,0,4\n")
    project.text("2.csv", "part,label,age\na,1,3\na,0,x\n")
    project.data["source"] = {"path": "*.csv"}
    project.features = [NUMERIC]
    assert "row 2 of `2.csv`" in project.problem().message


@pytest.mark.parametrize(
    ("column", "feature", "words"),
    [
        ([[1]], NUMERIC | {"column": "x"}, "holds lists"),
        ([[1]], USER | {"column": "x"}, "holds lists"),
        ([1], USER | {"column": "x", "multivalent": True}, "not a list"),
        (["a"], USER | {"column": "x", "multivalent": True}, "not a list"),
        ([1.5], USER | {"column": "x"}, "fractional numbers"),
        (pa.array([1], pa.timestamp("s")), NUMERIC | {"column": "x"}, "not a number"),
        ([{"a": 1}], USER | {"column": "x"}, "struct"),
    ],
)
def test_a_column_of_a_type_that_does_not_fit(project, column, feature, words):
    project.parquet(x=column)
    project.features = [feature]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-column-type", f"spec.features.{feature['name']}.column")
    assert words in problem.message


def test_files_that_disagree_about_a_type(project):
    project.parquet("rows_1.parquet", user=[1])
    project.parquet("rows_2.parquet", user=["x"])
    project.data["source"] = {"path": "rows_*.parquet"}
    project.features = [USER]
    assert "int64 and string in different files" in project.problem().message
    project.features = [USER | {"dtype": "string"}]
    assert project.rows().ids.ravel().tolist() == [2, 3]


@pytest.mark.parametrize("content", [b"PAR1", b"age\n1\n" * 99, None])
def test_parquet_that_is_cut_off_or_none(project, content):
    project.parquet(age=list(range(1000)))
    path = project.root / "rows.parquet"
    path.write_bytes(path.read_bytes()[:2000] if content is None else content)
    project.features = [NUMERIC]
    assert project.problem().code == "data-parquet-broken"


def test_a_compressed_file_that_is_cut_off(project):
    whole = gzip.compress(b"part,label,age\n" + b"".join(b"a,1,%d\n" % i for i in range(9999)))
    (project.root / "rows.csv.gz").write_bytes(whole[: len(whole) // 2])
    project.data["source"] = {"path": "rows.csv.gz"}
    project.features = [NUMERIC]
    assert project.problem().code == "data-file-unreadable"


def test_text_that_is_not_utf8(project):
    (project.root / "rows.csv").write_bytes("part,label,user\na,1,é\n".encode("latin-1"))
    project.data["source"] = {"path": "rows.csv"}
    project.features = [USER]
    assert project.problem().code == "data-file-unreadable"


@pytest.mark.parametrize(("label", "row"), [(2, 2), (-1, 2), (0.5, 2)])
def test_a_label_that_is_neither_0_nor_1(project, label, row):
    project.parquet(age=[1, 2], label=[0, label])
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-label-invalid", "spec.data.label.column")
    assert f"row {row} of `rows.parquet`" in problem.message


@pytest.mark.parametrize("weight", [-0.1, float("nan"), None, float("inf")])
def test_a_weight_that_weighs_nothing_sensible(project, weight):
    project.parquet(age=[1, 2], w=[1.0, weight])
    project.data["weight"] = "w"
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-weight-invalid", "spec.data.weight")
    assert "row 2" in problem.message


def test_no_training_rows(project):
    project.parquet(age=[1], part=["b"])
    project.features = [NUMERIC]
    assert project.problem().code == "data-no-rows"


def test_a_label_column_of_dates(project):
    project.parquet(age=[1], label=pa.array([1], pa.timestamp("s")))
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-column-type", "spec.data.label.column")


@pytest.mark.parametrize(
    "values", [[[1]], [{"a": 1}], pa.array([1], pa.timestamp("s")), pa.array([b"ab"], pa.binary(2))]
)
def test_a_label_or_weight_column_that_holds_no_numbers(project, values):
    project.features = [NUMERIC]
    project.parquet(age=[1], label=values)
    assert (project.problem().code, project.problem().path) == ("data-column-type", "spec.data.label.column")
    project.parquet(age=[1], w=values)
    project.data["weight"] = "w"
    assert (project.problem().code, project.problem().path) == ("data-column-type", "spec.data.weight")


@pytest.mark.parametrize("values", [[["a"]], [{"a": 1}]])
def test_a_split_or_a_group_by_a_column_without_single_values(project, values):
    project.features = [NUMERIC]
    project.parquet(age=[1], part=values)
    assert (project.problem().code, project.problem().path) == ("data-column-type", "spec.data.split.column")
    project.parquet(age=[1], user=values)
    problem = project.problem(evaluate={"metrics": ["auc", {"type": "gauc", "group_by": "user"}]})
    assert (problem.code, problem.path) == ("data-column-type", "spec.evaluate.metrics.1")


def test_a_split_by_bytes_that_are_no_text(project):
    project.parquet(age=[1, 2], part=pa.array([b"a", b"\xff"]))
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-value-type", "spec.data.split.column")
    assert "row 2 of `rows.parquet`" in problem.message


def test_a_split_whose_values_name_no_training_row_tells_what_the_column_holds(project):
    project.parquet(age=[1, 2], part=["1.0", "2.0"])
    project.features = [NUMERIC]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-no-rows", "spec.data.split.train")
    assert "`1.0`, `2.0`" in problem.help


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (pa.array([Decimal("1.5")], pa.decimal128(5, 1)), pa.array([Decimal("1.50")], pa.decimal128(5, 2))),
        (pa.array([1], pa.timestamp("us")), pa.array([1000], pa.timestamp("ns"))),
    ],
)
def test_equal_values_that_would_be_different_keys_in_two_files(project, first, second):
    project.parquet("rows_1.parquet", user=first)
    project.parquet("rows_2.parquet", user=second)
    project.data["source"] = {"path": "rows_*.parquet"}
    for dtype in ("auto", "string"):
        project.features = [USER | {"dtype": dtype}]
        assert "in different files" in project.problem().message


def test_two_columns_of_one_name_in_a_parquet_file(project):
    columns = {"part": ["a"], "label": [0], "age": [1]}
    table = pa.table([*columns.values(), pa.array([2])], names=[*columns, "age"])
    pq.write_table(table, project.root / "rows.parquet")
    project.features = [NUMERIC]
    assert project.problem().code == "data-column-twice"


@pytest.mark.parametrize("text", ["\n", "\ufeff", "\npart,label,age\na,0,1\n"])
def test_a_text_file_that_begins_with_nothing(project, text):
    project.text("rows.csv", text)
    project.features = [NUMERIC]
    assert project.problem().code == "data-file-empty"


@pytest.mark.parametrize("end", ["", "\n", "\r\n\n"])
def test_a_quote_that_is_never_closed(project, end):
    project.text("rows.csv", 'part,label,age,title\na,0,1,"5"" disk"\na,0,2,"6" disk\na,0,3,"x\na,0,4,y' + end)
    project.features = [NUMERIC]
    problem = project.problem()
    assert problem.code == "data-row-malformed"
    assert "all 2 lines" in problem.message


@pytest.mark.parametrize("end", ["", "\n", "\r\n\n"])
def test_a_last_value_of_many_lines_is_fine_when_its_quote_is_closed(project, end):
    project.text("rows.csv", 'part,label,age,title\na,0,1,x\na,0,2,"x\n\ny\n"' + end)
    project.features = [NUMERIC]
    assert project.rows().dense.ravel().tolist() == [1, 2]


@pytest.mark.parametrize("delimiter", ["ä", '"', "\n"])
def test_a_delimiter_that_can_not_be_one(project, delimiter):
    project.text("rows.csv", "part,label,age\na,0,1\n")
    project.data["source"]["delimiter"] = delimiter
    project.features = [NUMERIC]
    assert project.problem().code == "data-delimiter-wrong"


def test_a_range_of_a_pattern_that_runs_backwards_matches_nothing(project):
    project.parquet(age=[1])
    project.data["source"] = {"path": "[z-a]ows.parquet"}
    project.features = [NUMERIC]
    assert project.problem().code == "data-no-match"
