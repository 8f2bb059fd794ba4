import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def _make(*arguments: str) -> str:
    return subprocess.run(["make", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


def test_help_is_the_default_and_names_every_target():
    text = (ROOT / "Makefile").read_text()
    [phony] = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    shown = re.findall(r"^  make (\S+)  +\S", _make(), re.MULTILINE)
    assert sorted(shown) == sorted(phony.split())


def test_an_accelerator_that_is_not_known_is_refused_before_anything_is_made(tmp_path: Path):
    script = tmp_path / "tools" / "setup.sh"
    script.parent.mkdir()
    script.write_bytes((ROOT / "tools/setup.sh").read_bytes())
    result = subprocess.run(["bash", str(script), "tpu"], capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert "write ACCEL=cpu or ACCEL=cuda" in result.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_machine_without_python_is_told_what_to_install(tmp_path: Path):
    script = tmp_path / "tools" / "setup.sh"
    script.parent.mkdir()
    script.write_bytes((ROOT / "tools/setup.sh").read_bytes())
    result = subprocess.run(
        ["bash", str(script), "cpu"],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHON": "/absent/python3", "PATH": "/usr/bin:/bin"},
    )
    assert result.returncode == 1
    assert "no Python 3.11 or later" in result.stderr
