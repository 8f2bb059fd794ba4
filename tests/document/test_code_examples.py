"""The examples in the long texts behind the codes of this layer do what they say."""

import re
from pathlib import Path

import pytest

import recplat.document
from recplat.diagnostics import Problems, explain, known_codes
from recplat.document import load, yaml11_differences

_RAISED = re.compile(r'\b(?:Diagnostic|fault)\(\s*"([a-z0-9-]+)"')
# What can't be written as one short file.
_NOT_SHOWN = {
    "extends-too-deep",
    "file-is-binary",
    "file-not-utf8",
    "file-too-large",
    "file-unreadable",
    "names-too-many",
    "too-many-faults",
    "yaml-too-many-nodes",
}


def raised_codes() -> list[str]:
    folder = Path(recplat.document.__file__).parent
    return sorted({code for file in folder.glob("*.py") for code in _RAISED.findall(file.read_text())})


def test_every_code_that_is_raised_is_explained():
    assert len(raised_codes()) > 30
    assert set(raised_codes()) <= set(known_codes())


@pytest.mark.parametrize("code", raised_codes())
def test_text_shows_a_wrong_and_a_right_example(code):
    wrong, right = examples(code)
    assert wrong.strip()
    assert right.strip()


@pytest.mark.parametrize("code", [code for code in raised_codes() if code not in _NOT_SHOWN])
def test_wrong_example_gives_the_code_and_the_right_one_does_not(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text("a: 1")
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "base.yaml").write_text("a: 1")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "base.yaml").write_text("a: 1")
    wrong, right = examples(code)
    assert code in found(wrong, tmp_path)
    assert found(right, tmp_path) == set()


def examples(code: str) -> list[str]:
    text = explain(code) or ""
    return re.findall(r"(?:Wrong|Right):\n\n```yaml\n(.*?)\n```", text, re.DOTALL)


def found(text: str, folder: Path) -> set[str]:
    """What is said about the example: its comments may hold `--set`s, the rest is the file."""
    file = folder / "specs" / "spec.yaml"
    sets = [line.strip("'") for line in re.findall(r"^# --set (.*)$", text, re.MULTILINE)]
    has_document = any(not line.startswith("# --set") for line in text.splitlines())
    file.write_text(text if has_document else "spec: {features: [{name: user_id}]}")
    try:
        document = load(file, sets=sets, env={})
    except Problems as problems:
        return {diagnostic.code for diagnostic in problems.diagnostics}
    return {diagnostic.code for diagnostic in yaml11_differences(document.root)}
