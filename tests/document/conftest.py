from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes files (`main` is main.yaml, any other name is taken with its dots) into the working directory."""
    monkeypatch.chdir(tmp_path)

    def write(main: str, **others: str) -> Path:
        for name, text in {"main": main, **others}.items():
            (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        return tmp_path

    return write
