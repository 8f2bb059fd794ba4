"""What holds for every command: help, exit codes, the form of faults."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from recplat.cli import COMMANDS, cli
from recplat.diagnostics import refusal

RECPLAT = [sys.executable, "-c", "from recplat.cli import main; main()"]


def recplat(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*RECPLAT, *arguments], capture_output=True, text=True, timeout=60, **options)


def test_help_lists_every_command_and_imports_none():
    code = (
        "import sys; from click.testing import CliRunner; from recplat.cli import cli;"
        "result = CliRunner().invoke(cli, ['--help']); print(result.output);"
        "heavy = {'numpy', 'pyarrow', 'torch', 'mlflow', 'rich', 'yaml'};"
        "own = [name for name in sys.modules if name.startswith('recplat.cli.') and '._' not in name];"
        "print('IMPORTED', sorted(heavy & set(sys.modules)), own)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert "IMPORTED [] []" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"recplat {name}" in result.output.partition("Example")[2]


def test_an_unknown_command_gets_the_nearest_and_exit_code_2():
    result = CliRunner().invoke(cli, ["aply"])
    assert result.exit_code == 2
    assert "Did you mean `recplat apply`?" in result.output


def test_an_unknown_option_is_wrong_usage():
    assert CliRunner().invoke(cli, ["runs", "list", "--no-such-option"]).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ("apply x.yaml --epochs 3", "spec.train.epochs=3"),
        ("plan x.yaml --ranks-per-node=2", "spec.resources.ranks_per_node=2"),
        ("validate --seed", "spec.train.seed=VALUE"),
    ],
)
def test_an_option_that_is_a_field_is_shown_as_set(arguments, hint):
    result = CliRunner().invoke(cli, arguments.split())
    assert result.exit_code == 2
    assert f"Did you mean `--set {hint}`?" in result.output


@pytest.mark.parametrize("arguments", ["apply x.yaml --no-such", "runs list --epochs 3"])
def test_other_options_get_no_such_hint(arguments):
    result = CliRunner().invoke(cli, arguments.split())
    assert result.exit_code == 2
    assert "--set" not in result.output


def test_a_fault_of_the_spec_is_exit_code_1_with_text_on_standard_error(tmp_path):
    done = recplat("apply", str(tmp_path / "missing.yaml"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[")
    assert "\x1b[" not in done.stderr


def test_with_json_a_fault_is_a_list_on_standard_output(tmp_path):
    done = recplat("apply", str(tmp_path / "missing.yaml"), "-o", "json")
    assert done.returncode == 1
    [fault] = json.loads(done.stdout)
    assert fault["severity"] == "error"
    assert done.stderr == ""


def test_a_bug_of_ours_says_so_and_shows_the_traceback(monkeypatch, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import recplat.spec.paths\ndef broken(*arguments): raise ZeroDivisionError('ours')\n"
        "recplat.spec.paths.project_root = broken\n"
    )
    done = recplat("runs", "list", env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "This is a bug in recplat" in done.stderr


def test_a_closed_pipe_is_quiet():
    done = subprocess.run(
        f"{sys.executable} -c 'from recplat.cli import main; main()' --help | true",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""


def test_colours_only_on_a_terminal_that_has_not_said_no(monkeypatch):
    from recplat.cli._output import use_color

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert use_color(Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert not use_color(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not use_color(Terminal())
    with Path(os.devnull).open("w") as nowhere:
        assert not use_color(nowhere)


def test_what_the_system_refuses_is_a_diagnostic(tmp_path):
    (tmp_path / ".recplat").mkdir()
    (tmp_path / "spec.yaml").write_text(
        "apiVersion: recplat.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: tiny}\nspec:\n"
        "  data: {source: {path: x.csv}, split: {by: random}, label: {column: y}}\n"
        "  features: [{name: x, type: numeric}]\n  model: {type: logistic_regression}\n"
    )
    done = recplat("plan", str(tmp_path / "spec.yaml"), "--out", str(tmp_path / "none" / "plan.json"), "-o", "json")
    assert done.returncode == 1
    [fault] = json.loads(done.stdout)
    assert fault["code"] == "file-access"
    assert str(tmp_path / "none" / "plan.json") in fault["message"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "disk-full"), (errno.EROFS, "file-access"), (errno.ECONNRESET, None)]
)
def test_only_what_a_person_can_mend_is_called_a_refusal(number, code):
    problem = refusal(OSError(number, "as the library says it", "/somewhere"))
    assert (problem.code if problem else None) == code
