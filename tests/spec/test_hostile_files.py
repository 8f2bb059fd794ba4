"""Files that are too large, too deep or too strange are told so in bounded time."""

import time
from pathlib import Path

import pytest

from recplat.spec.load import check_job

HEAD = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job}
spec:
  data:
    source: {path: rows.parquet}
    split: {by: random}
    label: {column: clicked}
  model: {type: dcn_v2}
  features:
"""
#: Not a matter of speed: it is there to end a hang.
LIMIT_S = 30.0


def _codes(file: Path, text: str | bytes) -> list[str]:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    start = time.monotonic()
    found = [diagnostic.code for diagnostic in check_job(file, env={}).diagnostics]
    assert time.monotonic() - start < LIMIT_S
    return found


def test_a_file_of_ten_megabytes(tmp_path: Path):
    line = "    - {name: user_id, type: categorical}\n"
    assert _codes(tmp_path / "job.yaml", HEAD + line * 250_000) == ["file-too-large"]


def test_a_list_without_end(tmp_path: Path):
    assert _codes(tmp_path / "job.yaml", HEAD + "    - [" + "0," * 1_000_000 + "0]\n") == ["yaml-too-many-nodes"]


def test_names_that_stand_for_too_much(tmp_path: Path):
    names = ", ".join(f"f{index}" for index in range(20_000))
    values = ", ".join("0" for _ in range(200))
    assert _codes(tmp_path / "job.yaml", HEAD + f"    - {{name: [{names}], x: [{values}]}}\n") == ["names-too-many"]


def test_faults_without_end(tmp_path: Path):
    found = _codes(tmp_path / "job.yaml", HEAD + "    - {name: a, name: b}\n" * 500)
    assert set(found) == {"duplicate-key", "too-many-faults"}


def test_a_path_that_no_system_takes(tmp_path: Path):
    [found] = check_job(tmp_path / ("a" * 300)).diagnostics
    assert found.code == "file-unreadable"


def test_a_long_chain_of_files(tmp_path: Path):
    for index in range(20):
        (tmp_path / f"{index}.yaml").write_text(f"extends: {index + 1}.yaml\n")
    assert "extends-too-deep" in [found.code for found in check_job(tmp_path / "0.yaml").diagnostics]


@pytest.mark.parametrize("count", [1, 65, 5000])
def test_brackets_within_brackets(tmp_path: Path, count: int):
    assert _codes(tmp_path / "job.yaml", HEAD + f"    - {'[' * count}{']' * count}\n") != []


@pytest.mark.parametrize(("dim", "expected"), [("16", []), ("sixteen", ["wrong-type"])])
def test_ten_thousand_features_and_tables(tmp_path: Path, dim: str, expected: list[str]):
    features = "".join(f"    - {{name: f{index}, type: categorical, table: t{index}}}\n" for index in range(10_000))
    tables = "".join(f"    - {{name: t{index}, dim: {dim if index == 5000 else 16}}}\n" for index in range(10_000))
    assert _codes(tmp_path / "job.yaml", HEAD + features + "  tables:\n" + tables) == expected


def test_a_fault_in_each_of_ten_thousand_features(tmp_path: Path):
    features = "".join(f"    - {{name: f{index}, type: categorical, dims: 8}}\n" for index in range(10_000))
    found = _codes(tmp_path / "job.yaml", HEAD + features)
    assert found == ["unknown-field"] * 10_000


def test_one_line_that_stands_for_ten_thousand_features_is_told_once(tmp_path: Path):
    names = ", ".join(f"f{index}" for index in range(10_000))
    checked = check_job(
        _written(tmp_path / "job.yaml", HEAD + f"    - {{name: [{names}], type: categorical, dims: 8}}\n")
    )
    [found] = checked.diagnostics
    assert found.notes == ("the same holds for `f1`, `f2`, `f3` and 9,996 more",)


def _written(file: Path, text: str) -> Path:
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("field", "value"), [("name: job", 'name: "job\\n"'), ("model: {type: dcn_v2}", 'resources: {time_limit: "6h\\n"}')]
)
def test_a_line_break_at_the_end_of_a_name_is_seen(tmp_path: Path, field: str, value: str):
    text = (HEAD + "    - {name: a, type: numeric}\n").replace(field, value)
    assert "bad-format" in _codes(tmp_path / "job.yaml", text)
