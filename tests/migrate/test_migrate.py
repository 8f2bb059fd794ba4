"""Each version that `recplat migrate` knows has a stored spec here and what it must become."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from recplat.cli import cli
from recplat.diagnostics import Edit, Problems
from recplat.spec import load_job
from recplat.spec.migrate import apply_edits, migrate
from recplat.spec.versions import OLD_VERSIONS

HERE = Path(__file__).parent
NEW = (HERE / "v1alpha0.expected.yaml").read_text()


def _old(version: str) -> Path:
    return HERE / f"{version.rpartition('/')[2]}.yaml"


@pytest.mark.parametrize("version", OLD_VERSIONS)
def test_a_stored_old_spec_becomes_what_is_stored_beside_it(version: str, tmp_path: Path):
    expected = _old(version).with_suffix(".expected.yaml")
    assert migrate(_old(version)).text == expected.read_text()
    (tmp_path / "new.yaml").write_text(expected.read_text())
    assert load_job(tmp_path / "new.yaml").warnings == ()


def test_nothing_is_left_beside_the_file():
    migrate(_old(OLD_VERSIONS[0]))
    assert [path.name for path in HERE.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_stay(tmp_path: Path, line_end: str, mark: str):
    path = tmp_path / "old.yaml"
    path.write_bytes((mark + _old(OLD_VERSIONS[0]).read_text().replace("\n", line_end)).encode())
    CliRunner().invoke(cli, ["migrate", str(path)], catch_exceptions=False)
    assert path.read_bytes() == (mark + NEW.replace("\n", line_end)).encode()


def test_check_changes_nothing_and_says_what_it_would(tmp_path: Path):
    path = tmp_path / "old.yaml"
    path.write_text(_old(OLD_VERSIONS[0]).read_text())
    result = CliRunner().invoke(cli, ["migrate", "--check", str(path)])
    assert result.exit_code == 1
    assert "line 2: apiVersion is now recplat.io/v1alpha1" in result.output
    assert "line 14: rename `procs_per_node` to `ranks_per_node`" in result.output
    assert path.read_text() == _old(OLD_VERSIONS[0]).read_text()


def test_a_file_of_today_is_up_to_date(tmp_path: Path):
    (tmp_path / "new.yaml").write_text(NEW)
    result = CliRunner().invoke(cli, ["migrate", "--check", str(tmp_path / "new.yaml")])
    assert (result.exit_code, result.output) == (0, f"{tmp_path / 'new.yaml'}: up to date\n")


def test_a_base_with_old_names_is_named_and_left_alone(tmp_path: Path):
    (tmp_path / "base.yaml").write_text(NEW.replace("ranks_per_node", "procs_per_node"))
    (tmp_path / "job.yaml").write_text("extends: base.yaml\nmetadata: {name: new}\n")
    migration = migrate(tmp_path / "job.yaml")
    assert migration.changes == ()
    assert [Path(other).name for other in migration.others] == ["base.yaml"]


def test_a_file_that_is_not_there_is_a_fault_with_a_place(tmp_path: Path):
    with pytest.raises(Problems):
        migrate(tmp_path / "absent.yaml")


def test_edits_of_one_line_do_not_move_each_other():
    edits = [Edit("f", 2, 1, 2, 4, "first"), Edit("f", 2, 6, 2, 9, "second")]
    assert apply_edits("a\nxxx, yyy\n", edits) == "a\nfirst, second\n"
