"""What a person reads who makes a mistake: one file each, `diagnostics/NAME.yaml` with `NAME.txt` beside it.

The text begins with the command (`$ N=8 recplat validate NAME.yaml`), then everything it prints, then its exit code.
`pytest tests/golden --update-golden` writes the texts anew: read the diff as the person would.
"""

import os
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from recplat.cli import cli

FOLDER = Path(__file__).parent / "diagnostics"
TEXTS = sorted({*FOLDER.glob("*.txt"), *(spec.with_suffix(".txt") for spec in FOLDER.glob("*.yaml"))})


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_says_exactly_this(text: Path, update_golden: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(FOLDER)
    expected = text.read_text(encoding="utf-8") if text.exists() else f"$ recplat validate {text.stem}.yaml\n"
    command = expected.split("\n", 1)[0]
    found = f"{command}\n{_outcome(command)}"
    if update_golden:
        text.write_text(found, encoding="utf-8")
    assert found == text.read_text(encoding="utf-8")


def _outcome(command: str) -> str:
    """All that the command line prints, and its exit code."""
    words = shlex.split(command.removeprefix("$ "))
    env: dict[str, str | None] = {**dict.fromkeys(_unwanted()), "NO_COLOR": "1"}
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        env[name] = value
    assert words.pop(0) == "recplat"
    result = CliRunner().invoke(cli, words, env=env, prog_name="recplat")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return f"{result.output}exit code {result.exit_code}\n"


def _unwanted() -> list[str]:
    """Variables whose names could be suggested for one that is not set."""
    return [name for name in os.environ if name not in ("PATH", "HOME", "TMPDIR")]
