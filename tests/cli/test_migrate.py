"""Each version that `recplat migrate` knows has a stored spec and what it must become."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recplat.cli import cli
from recplat.diagnostics import Edit, Problems
from recplat.spec import load_job
from recplat.spec.migrate import apply_edits, migrate
from recplat.spec.versions import OLD_VERSIONS

STORED = Path(__file__).parent.parent / "golden" / "migrate"
OLD = (STORED / "v1alpha0.yaml").read_text()
NEW = (STORED / "v1alpha0.expected.yaml").read_text()
HEAD = """\
apiVersion: recplat.io/v1alpha0
kind: TrainingJob
metadata: {name: job}
spec:
  data: {source: {path: rows.parquet}, split: {by: random}, label: {column: clicked}}
  features: [{name: user_id, type: single_id}]
  model: dcn_v2
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.yaml"
    path.write_text(OLD)
    return path


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["migrate", *map(str, arguments)], catch_exceptions=False)


@pytest.mark.parametrize("version", OLD_VERSIONS)
def test_a_stored_old_spec_becomes_what_is_stored_beside_it(version: str, tmp_path: Path, update_golden: bool):
    stored = STORED / f"{version.rpartition('/')[2]}.yaml"
    [migration] = migrate(stored)
    expected = stored.with_suffix(".expected.yaml")
    if update_golden:
        expected.write_text(migration.after)
    assert migration.after == expected.read_text()
    (tmp_path / "new.yaml").write_text(migration.after)
    assert [found.code for found in load_job(tmp_path / "new.yaml").warnings] == []


def test_comments_stay_where_they_were(old: Path):
    [migration] = migrate(old)
    comments = [line.partition("#")[2] for line in OLD.splitlines()]
    assert [line.partition("#")[2] for line in migration.after.splitlines() if "#" in line] == list(
        filter(None, comments)
    )


def test_a_diff_is_shown_and_nothing_written(old: Path):
    result = _run(old)
    assert result.exit_code == 0
    assert "-  embeddings:\n+  tables:\n" in result.stdout
    assert "--write" in result.stderr
    assert old.read_text() == OLD


def test_write_replaces_the_file_and_keeps_its_mode(old: Path):
    old.chmod(0o640)
    assert _run(old, "--write").stdout == f"{old}: written\n"
    assert old.read_text() == NEW
    assert old.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in old.parent.iterdir()] == ["old.yaml"]


def test_a_link_stays_a_link(old: Path, tmp_path: Path):
    link = tmp_path / "link.yaml"
    link.symlink_to(old)
    _run(link, "--write")
    assert link.is_symlink()
    assert old.read_text() == NEW


def test_a_migrated_file_is_up_to_date(old: Path):
    _run(old, "--write")
    result = _run(old, "--check")
    assert (result.exit_code, result.output) == (0, f"{old}: up to date\n")


def test_check_fails_on_an_older_file(old: Path):
    assert _run(old, "--check").exit_code == 1
    assert old.read_text() == OLD


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark_stay(old: Path, line_end: str, mark: str):
    old.write_bytes((mark + OLD.replace("\n", line_end)).encode())
    _run(old, "--write")
    assert old.read_bytes() == (mark + NEW.replace("\n", line_end)).encode()


@pytest.mark.parametrize(
    "train",
    [
        pytest.param("  train: {epochs: 3, optimizer: {dense: {type: sgd, lr: 0.5}, sparse: adam}}\n", id="in braces"),
        pytest.param(
            "  train: {optimizer: {\n    dense: {type: sgd, lr: 0.5}, # x\n    sparse: adam}, epochs: 3}\n", id="lines"
        ),
        pytest.param(
            "  train:\n    optimizer: {dense: {type: sgd, lr: 0.5}, sparse: adam}\n    epochs: 3\n", id="mixed"
        ),
        pytest.param(
            "  train:\n    optimizer:\n        dense:\n          type: sgd\n          lr: 0.5\n\n        sparse: adam\n"
            "    epochs: 3\n",
            id="on lines",
        ),
        pytest.param(
            "  train:\n    epochs: 3\n    optimizer:\n      dense: {type: sgd, lr: 0.5}\n      sparse: adam", id="last"
        ),
        pytest.param(
            '  "train":\n    "optimizer":\n      "dense": {"type": sgd, "lr": 0.5}\n      \'sparse\': adam\n'
            "    epochs: 3\n",
            id="quoted",
        ),
    ],
)
def test_optimizers_are_taken_apart_however_they_are_written(tmp_path: Path, train: str):
    path = tmp_path / "job.yaml"
    path.write_text(HEAD + train)
    _run(path, "--write")
    job = load_job(path).job.spec.train
    assert (job.epochs, job.dense_optimizer.learning_rate) == (3, 0.5)
    assert type(job.embedding_optimizer).__module__.endswith("adam.options")


def test_what_can_not_be_taken_apart_is_told(tmp_path: Path):
    text = HEAD + "  train:\n    optimizer: &both\n      dense: {type: sgd, lr: 0.5}\n    epochs: 3\n"
    path = tmp_path / "job.yaml"
    path.write_text(text)
    result = _run(path, "--write")
    assert result.exit_code == 1
    assert "error[migrate-by-hand]" in result.stderr
    assert f"{path}:9:5" in result.stderr
    assert path.read_text() == text


def test_a_file_at_fault_is_left_alone(tmp_path: Path):
    text = HEAD + "  train: {optimizer: {dense: {type: sgd, lr: fast}}}\n"
    path = tmp_path / "job.yaml"
    path.write_text(text)
    result = _run(path, "--write")
    assert result.exit_code == 1
    assert "`spec.train.dense_optimizer.learning_rate` must be a number" in result.stderr
    assert path.read_text() == text


def test_what_it_extends_is_migrated_with_it(tmp_path: Path):
    base, job = tmp_path / "base.yaml", tmp_path / "job.yaml"
    base.write_text(HEAD)
    job.write_text("extends: base.yaml\nspec:\n  embeddings: [{name: user_id, embedding_dim: 8}]\n")
    changed = json.loads(_run(job, "-o", "json").stdout)
    assert [(Path(one["file"]).name, one["changed"]) for one in changed] == [("job.yaml", True), ("base.yaml", True)]
    _run(job, "--write")
    assert load_job(job).job.spec.tables[0].dim == 8


def test_a_field_with_a_new_name_is_renamed_in_a_file_of_today(tmp_path: Path):
    path = tmp_path / "job.yaml"
    path.write_text(NEW.replace("ranks_per_node", "procs_per_node"))
    _run(path, "--write")
    assert path.read_text() == NEW


def test_an_anchor_that_is_used_twice_is_changed_once(tmp_path: Path):
    path = tmp_path / "job.yaml"
    optimizer = "  train: {optimizer: {dense: &adam {type: adam, lr: 0.5}, sparse: *adam}}\n"
    path.write_text(HEAD + optimizer)
    _run(path, "--write")
    assert load_job(path).job.spec.train.embedding_optimizer.learning_rate == 0.5


@pytest.mark.parametrize("arguments", [("--write",), ("--check",), ()])
def test_variables_need_not_be_set(tmp_path: Path, arguments: tuple[str, ...]):
    text = HEAD.replace("rows.parquet", '"${ROWS}"').replace("name: job", 'name: "clicks-${DAY}"') + (
        "  train:\n    batch_size: ${STEP_ROWS}\n    optimizer:\n      dense:\n        lr: ${RATE}\n        type: sgd\n"
        '  evaluate: {gates: ["auc >= ${LEAST}"]}\n'
        "  tracking:\n    run_name: ${RUN}\n"
    )
    path = tmp_path / "job.yaml"
    path.write_text(text)
    result = _run(path, *arguments)
    assert (result.exit_code, "error" in result.output) == (int(arguments == ("--check",)), False)
    if arguments == ("--write",):
        assert "batch_size: ${STEP_ROWS}" in path.read_text()
        assert "learning_rate: ${RATE}" in path.read_text()
        assert _run(path, "--check").exit_code == 0


def test_other_faults_are_told_beside_variables(tmp_path: Path):
    path = tmp_path / "job.yaml"
    path.write_text(HEAD + "  train:\n    batch_size: ${ROWS_OF_A_STEP}\n    epochs: many\n")
    result = _run(path, "--check")
    assert "`spec.train.epochs` must be a whole number" in result.stderr
    assert "1 error" in result.stderr


def test_a_file_that_is_not_there_is_a_fault_with_a_place(tmp_path: Path):
    with pytest.raises(Problems):
        migrate(tmp_path / "absent.yaml")


def test_edits_of_one_line_do_not_move_each_other():
    edits = [Edit("f", 2, 1, 2, 4, "first"), Edit("f", 2, 6, 2, 9, "second")]
    assert apply_edits("a\nxxx, yyy\n", edits) == "a\nfirst, second\n"
