"""Which files a source names; Python's own glob is the reference for patterns."""

import glob

import pytest

from recplat.data.files import find_files
from recplat.spec.types import Source

NAMES = (
    "a.csv",
    "b.csv",
    ".hidden.csv",
    "deep/c.csv",
    "deep/down/d.csv",
    "deep/.e.csv",
    ".secret/f.csv",
    "x-y.csv",
    "x]y.csv",
)


@pytest.fixture
def root(tmp_path):
    """A project whose own path holds what would be wildcards in a pattern."""
    root = tmp_path / "a[b]*{c} ü"
    for name in NAMES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n1\n")
    return root


@pytest.mark.parametrize(
    "pattern",
    ["*.csv", "?.csv", "**/*.csv", "*/*.csv", "deep/**", "[ab].csv", "[!a].csv", "[a-c].csv", "x[]-]y.csv", ".*.csv"],
)
def test_a_pattern_matches_what_it_does_in_a_shell(root, pattern):
    found = find_files(Source(path=f"project:{pattern}"), root, "spec.data.source")
    matched = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207 pathlib's matches hidden files
    expected = [name for name in matched if (root / name).is_file()]
    assert sorted(file.shown for file in found) == sorted(expected)


def test_a_folder_stands_for_its_files_that_are_not_hidden(root):
    found = find_files(Source(path="project:deep"), root, "spec.data.source")
    assert [file.shown for file in found] == ["deep/c.csv", "deep/down/d.csv"]
