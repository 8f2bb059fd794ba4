from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from recplat.cli import cli
from recplat.spec import load_job

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job, labels: {on: "yes", number: "012", time: "12:30", letter: "y", exponent: "1e3"}}
spec:
  data: {source: {path: rows.parquet}, split: {by: random}, label: {column: clicked}}
  features:
    - {name: [user_id, "no"], type: categorical, dim: 8}
  model: dcn_v2
  train: {dense_optimizer: {type: adam, learning_rate: 1e-5}}
"""


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["render", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / ".recplat").mkdir()
    path = tmp_path / "job.yaml"
    path.write_text(SPEC)
    return path


def test_both_versions_of_yaml_read_the_normal_form_alike(spec: Path, tmp_path: Path):
    text = _run(spec).stdout
    old_reader = yaml.safe_load(text)
    assert old_reader["metadata"]["labels"] == {
        "on": "yes",
        "number": "012",
        "time": "12:30",
        "letter": "y",
        "exponent": "1e3",
    }
    assert [feature["name"] for feature in old_reader["spec"]["features"]] == ["user_id", "no"]
    assert old_reader["spec"]["train"]["dense_optimizer"]["learning_rate"] == 1e-5
    (tmp_path / "normal.yaml").write_text(text)
    assert load_job(tmp_path / "normal.yaml").warnings == ()


def test_what_is_rendered_renders_to_itself(spec: Path, tmp_path: Path):
    first = _run(spec).stdout
    (tmp_path / "normal.yaml").write_text(first)
    assert _run(tmp_path / "normal.yaml").stdout == first


def test_paths_do_not_depend_on_where_it_lies_in_the_project(spec: Path, tmp_path: Path):
    assert "path: project:rows.parquet" in _run(spec).stdout
    below = tmp_path / "below" / "job.yaml"
    below.parent.mkdir()
    below.write_text(SPEC.replace("path: rows", "path: ../rows"))
    assert _run(below).stdout == _run(spec).stdout


def test_it_is_written_to_a_folder_and_found_stale(spec: Path, tmp_path: Path):
    out = tmp_path / "out"
    assert _run(spec, "-o", out, "--check").exit_code == 1
    assert _run(spec, "-o", out).stdout == f"{out / 'job.yaml'}\n"
    assert _run(spec, "-o", out, "--check").exit_code == 0
    spec.write_text(SPEC.replace("dim: 8", "dim: 4"))
    result = _run(spec, "-o", out, "--check")
    assert result.exit_code == 1
    assert "is stale" in result.stderr


def test_a_spec_at_fault_is_not_rendered(spec: Path):
    result = _run(spec, "--set", "spec.train.epochs=0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[out-of-range]" in result.stderr
