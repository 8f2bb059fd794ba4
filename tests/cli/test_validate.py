import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recplat.cli import cli

RIGHT = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job}
spec:
  data: {source: {path: rows.csv}, split: {by: random}, label: {column: clicked}}
  features: [{name: user_id, type: categorical}]
  model: dcn_v2
"""
WRONG = RIGHT + "  train: {epoch: 3, batch_size: many}\n"


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["validate", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "right.yaml"
    path.write_text(RIGHT)
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG)
    return path


def test_a_right_spec_is_said_to_be(right: Path):
    result = _run(right)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{right}: fine\n", "")


def test_every_fault_of_every_spec_is_shown(right: Path, wrong: Path):
    result = _run(right, wrong)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "2 errors" in result.stderr
    assert f"{wrong}:8:11  spec.train.epoch" in result.stderr


def test_a_warning_is_shown_and_no_failure(right: Path):
    result = _run(right, "--set", "spec.resources.procs_per_node=2")
    assert result.exit_code == 0
    assert "warning[deprecated-field]" in result.stderr


def test_json_has_every_fault_with_place_and_fix(wrong: Path):
    result = _run(wrong, "-o", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [one["code"] for one in found] == ["unknown-field", "wrong-type"]
    assert (found[0]["file"], found[0]["line"], found[0]["column"]) == (str(wrong), 8, 11)
    assert found[0]["fix"]["edits"][0]["text"] == "epochs"


def test_json_of_a_right_spec_is_an_empty_list(right: Path):
    assert json.loads(_run(right, "-o", "json").stdout) == []


def test_a_fix_repairs_what_it_is_about(wrong: Path):
    from recplat.diagnostics import Edit
    from recplat.spec.migrate import apply_edits

    [misspelt, _] = json.loads(_run(wrong, "-o", "json").stdout)
    wrong.write_text(apply_edits(WRONG, [Edit(**edit) for edit in misspelt["fix"]["edits"]]))
    [left] = json.loads(_run(wrong, "-o", "json").stdout)
    assert left["path"] == "spec.train.batch_size"


def test_overlays_and_settings_count(tmp_path: Path, right: Path):
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("spec: {train: {epochs: 0}}\n")
    assert f"{overlay}:1:24" in _run(right, "-f", overlay).stderr
    assert _run(right, "-f", overlay, "--set", "spec.train.epochs=1").exit_code == 0


def test_the_data_is_opened_when_asked_for(tmp_path: Path, right: Path):
    assert _run(right).exit_code == 0
    assert _run(right, "--data").exit_code == 1
    (tmp_path / "rows.csv").write_text("user_id,click\n1,0\n")
    result = _run(right, "--data")
    assert "error[data-column-missing]" in result.stderr
    assert f"{right}:5" in result.stderr
