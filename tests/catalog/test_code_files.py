"""What is found out about a folder's code without running it."""

from pathlib import Path

import pytest

from recplat.catalog import KINDS, builtin_catalog
from recplat.catalog.code_files import what_is_missing


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in builtin_catalog().names(kind)])
def test_the_built_in_folders_have_all_their_code(kind: str, name: str):
    options = builtin_catalog().options(kind, name)
    assert options.__module__.startswith("recplat.catalog")
    folder = Path(__file__).parent.parent.parent / "recplat/catalog" / kind / name
    assert what_is_missing(folder, kind, options) is None


@pytest.mark.parametrize(
    "code",
    [
        "def build(options, inputs): ...",
        "class build: ...",
        "from .net import build",
        "from .net import make as build",
        "from .net import *",
        "build = make = None",
        "try:\n    from a import x\nexcept ImportError:\n    def build(): ...",
        "if True:\n    pass\nelse:\n    build: object = None",
    ],
)
def test_a_function_counts_however_it_gets_its_name(tmp_path: Path, code: str):
    (tmp_path / "module.py").write_text(code)
    assert what_is_missing(tmp_path, "models", None) is None


def test_a_function_inside_another_thing_does_not_count(tmp_path: Path):
    (tmp_path / "module.py").write_text("class Net:\n    def build(self): ...\n")
    assert what_is_missing(tmp_path, "models", None) == f"`{tmp_path}/module.py` has no function `build`"


def test_a_vocabulary_must_be_chosen_too(tmp_path: Path):
    (tmp_path / "transform.py").write_text("def transform(options, values, state): ...\n")
    vocabulary = builtin_catalog().options("transforms", "vocabulary")
    assert what_is_missing(tmp_path, "transforms", vocabulary) == f"`{tmp_path}/transform.py` has no function `select`"


def test_a_file_that_is_no_python_is_told_of_with_its_line(tmp_path: Path):
    (tmp_path / "module.py").write_text("\ndef build(options, inputs)\n    return None\n")
    assert what_is_missing(tmp_path, "models", None) == f"`{tmp_path}/module.py` fails to load: line 2: expected ':'"
