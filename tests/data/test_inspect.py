import datetime as dt

import msgspec
import pyarrow as pa
import pytest

from recplat.data.inspecting import inspect_source
from recplat.data.proposal import propose
from recplat.data.proposal_text import proposal_text
from recplat.diagnostics import Problems
from recplat.spec.types import Source


def columns(project, path):
    inspection = inspect_source(Source(path=str(project.root / path)), project.root)
    return {column.name: column for column in inspection.columns}


def test_columns_are_described_over_all_rows(project):
    project.parquet(
        user=["a", "b", None, "a"],
        price=[1.5, -2.0, None, float("nan")],
        n=[1, 2, 3, 4],
        tags=[["x", "y"], None, [], ["x"]],
        day=[dt.date(2024, 1, 1)] * 4,
        empty=pa.nulls(4),
    )
    found = columns(project, "rows.parquet")
    summary = {n: (c.kind, c.num_nulls, c.num_distinct, c.min, c.max) for n, c in found.items() if n not in ("part",)}
    assert summary == {
        "label": ("whole number", 0, 2, 0, 1),
        "user": ("text", 1, 2, None, None),
        "price": ("number", 1, 2, -2, 1.5),
        "n": ("whole number", 0, 4, 1, 4),
        "tags": ("list of texts", 1, 2, None, None),
        "day": ("time", 0, None, None, None),
        "empty": ("nothing", 4, 0, None, None),
    }
    assert found["user"].examples == ("a", "b")
    assert found["tags"].mean_length == 0.75


def test_texts_of_a_csv_file_are_told_apart(project):
    project.text("rows.csv", "id,zip,price,name\n7,00501,1.5,x\n8,10001,,y\n")
    kinds = {name: column.kind for name, column in columns(project, "rows.csv").items()}
    assert kinds == {"id": "whole number", "zip": "text", "price": "number", "name": "text"}


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_the_proposal_is_a_features_section_that_trains(project, suffix):
    n = 1500
    values = {
        "part": ["a"] * n,
        "label": [i % 2 for i in range(n)],
        "user_id": [i % 50 for i in range(n)],
        "age": [20 + i % 60 for i in range(n)],
        "Price (EUR)": [0.5 * i for i in range(n)],
        "no": [f"k{i % 3}" for i in range(n)],
        "7days": [i % 5 for i in range(n)],
        "url": [f"page {i}" for i in range(n)],
        "timestamp": list(range(n)),
        "same": [1] * n,
    }
    if suffix == "parquet":
        project.parquet(**values, tags=[["x", "y"][: i % 3] for i in range(n)])
    else:
        lines = [",".join(values), *(",".join(map(str, row)) for row in zip(*values.values(), strict=True))]
        project.text("rows.csv", "\n".join(lines))
    inspection = inspect_source(Source(path=str(project.root / f"rows.{suffix}")), project.root)
    text = proposal_text(propose(inspection))
    project.features = msgspec.yaml.decode(text)["features"]
    by_name = {feature["name"]: feature for feature in project.features}
    lists = {"tags"} if suffix == "parquet" else set()
    assert set(by_name) == {"user_id", "age", "Price_EUR", "no", "c_7days"} | lists
    assert {name for name, feature in by_name.items() if feature["type"] == "numeric"} == {"age", "Price_EUR"}
    for reason in ("label: looks like the label", "url: nearly every row", "timestamp: a time", "same: the same"):
        assert f"# {reason}" in text
    assert len(project.rows(model={"type": "deepfm"}).labels) == n


def test_a_missing_file_is_a_fault_without_a_place_in_a_spec(project):
    with pytest.raises(Problems) as refused:
        inspect_source(Source(path=str(project.root / "none.csv")), project.root)
    assert refused.value.diagnostics[0].path is None


def test_values_that_python_or_utf8_can_not_hold(project):
    project.parquet(
        far=pa.array([10**17], pa.timestamp("ms")),
        bytes=pa.array([b"\xff"]),
        fixed=pa.array([b"\xff\xfe"], pa.binary(2)),
        hashed=pa.array([2**64 - 1], pa.uint64()),
        text=["a\n\x1b[31m"],
    )
    found = columns(project, "rows.parquet")
    kinds = {name: found[name].kind for name in ("far", "bytes", "fixed", "hashed")}
    assert kinds == {"far": "time", "bytes": "other", "fixed": "other", "hashed": "whole number"}
    assert found["text"].examples == ("a\\n\\x1b[31m",)


def proposal(project, path="rows.csv"):
    return proposal_text(propose(inspect_source(Source(path=str(project.root / path)), project.root)))


@pytest.mark.parametrize(
    ("texts", "separator"),
    [
        (["x", "x|y", "y|z", "z", "x|z"], "|"),
        (["x"] * 5 + ["y;z", "x;z", "z", "y"], ";"),
        (["a, b", "b", "b, c", "c, a"], ","),
        (["Godfather, The", "Birds, The", "Alien", "Sting, The"], None),  # parts of titles don't come again
        (["1,5", "2,5", "1,2", "2,1"], None),  # numbers with a decimal comma
        (["x|y", *"abcdefgh"], None),  # one of nine
    ],
)
def test_a_separator_is_what_divides_texts_into_keys_that_come_again(project, texts, separator):
    project.parquet(texts=texts * 3, label=[0, 1] * (len(texts) * 3 // 2) + [0] * (len(texts) * 3 % 2))
    assert columns(project, "rows.parquet")["texts"].separator == separator
    said = f'{{name: texts, type: categorical, dim: 16, multivalent: true, separator: "{separator}"}}'
    assert (said in proposal(project, "rows.parquet")) == (separator is not None)


def test_a_text_of_two_values_is_remarked_where_nothing_else_is_a_label(project):
    project.text("rows.csv", "user,event\n" + "a,click\nb,no\nc,no\n" * 9)
    assert "{name: event, type: categorical, dim: 16}  # `no` or `click`: the label?" in proposal(project)
    project.text("rows.csv", "user,event,rating\n" + "a,click,1\nb,no,5\nc,no,3\n" * 9)
    assert "the label?" not in proposal(project)
    assert '# rating: looks like the label, as in `label: {column: rating, positive: ">= 4"}`' in proposal(project)


@pytest.mark.parametrize("header", [True, False])
def test_another_delimiter_is_recognised(project, header):
    project.text("rows.csv", "1;2;3\n" * 9)
    with pytest.raises(Problems) as refused:
        inspect_source(Source(path=str(project.root / "rows.csv"), header=header), project.root)
    [problem] = refused.value.diagnostics
    assert (problem.code, problem.path, problem.help) == ("data-delimiter-wrong", None, "give `--delimiter ';'`")
