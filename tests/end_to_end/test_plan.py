"""What can be known of a job without running it, and without the libraries that running it takes."""

import os
import subprocess
import sys

import pytest

from tests.end_to_end.command import RECPLAT, environment, recplat
from tests.end_to_end.conftest import SPEC
from tests.end_to_end.project_builder import NUM_ROWS, make_project


@pytest.fixture(scope="module")
def unseen(tmp_path_factory):
    """A project whose data nobody has looked at, and what `plan` says of it."""
    folder = make_project(tmp_path_factory.mktemp("unseen"))
    return folder, recplat(folder, "plan", SPEC), recplat(folder, "plan", SPEC, "-o", "json")


@pytest.fixture(scope="module")
def seen(unseen):
    """The same project after `data stats`."""
    folder, _, _ = unseen
    done = recplat(folder, "data", "stats", SPEC)
    assert done.code == 0, done.err
    return folder


def test_before_the_data_is_looked_at_rows_are_unknown_and_that_is_said(unseen):
    folder, text, as_json = unseen
    assert text.code == as_json.code == 0
    for done in (text, as_json):
        assert "warning[rows-unknown]" in done.err
        assert "recplat data stats" in done.err
    assert [table["num_rows"] for table in as_json.json["tables"]] == [None] * 4
    assert not (folder / ".recplat" / "runs").exists()


def test_afterwards_rows_are_known_and_nothing_is_warned_of(seen):
    text, as_json = recplat(seen, "plan", SPEC), recplat(seen, "plan", SPEC, "-o", "json")
    assert (text.code, text.err, as_json.err) == (0, "", "")
    rows = {table["name"]: table["num_rows"] for table in as_json.json["tables"]}
    assert rows == {"user_id": 59 + 2, "item_id": 119 + 2, "gender": 2 + 2, "genres": 8 + 2}  # missing and unknown
    data = as_json.json["data"]
    assert data["num_train_rows"] + data["num_eval_rows"] + data["num_test_rows"] == NUM_ROWS
    assert data["num_steps"] == 39


def test_a_plan_is_the_same_byte_for_byte_each_time(seen):
    first = recplat(seen, "plan", SPEC, "-o", "json")
    os.utime(seen / SPEC)
    assert recplat(seen, "plan", SPEC, "-o", "json").out == first.out
    assert recplat(seen, "apply", SPEC, "--dry-run", "-o", "json").out == first.out


@pytest.mark.parametrize("command", ["validate", "plan", "render"])
def test_heavy_libraries_are_not_imported(seen, tmp_path, command):
    out = ["-o", str(tmp_path / "out")] if command == "render" else []
    arguments = [sys.executable, "-X", "importtime", RECPLAT, command, SPEC, *out]
    done = subprocess.run(arguments, cwd=seen, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "recplat" in imported
    assert not imported & {"torch", "torchrec", "fbgemm_gpu", "mlflow", "numpy", "pyarrow", "pandas", "matplotlib"}
