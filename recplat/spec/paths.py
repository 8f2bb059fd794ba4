"""Where things lie: the project's root, and paths of the normal form resolved against it."""

from pathlib import Path

PROJECT_PREFIX = "project:"
STATE_FOLDER = ".recplat"


def project_root(start: Path) -> Path:
    """The nearest folder at or above `start` that holds `.recplat/` or `.git`; `start` itself where none does."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / STATE_FOLDER).is_dir() or (folder / ".git").exists():
            return folder
    return start


def is_url(path: str) -> bool:
    return "://" in path


def to_normal(path: str, *, directory: Path, root: Path) -> str:
    """An authored path in normal form: a URL as it is, `project:PATH` below the root, else absolute."""
    if is_url(path) or path.startswith(PROJECT_PREFIX):
        return path
    # Not resolved through links: what is committed names the link, as the author did.
    absolute = Path(_normpath(directory / path))
    if absolute.is_relative_to(root):
        return PROJECT_PREFIX + absolute.relative_to(root).as_posix()
    return absolute.as_posix()


def resolve(path: str, root: Path) -> str:
    """A path of the normal form as one that can be opened on this machine; a URL stays as it is."""
    if path.startswith(PROJECT_PREFIX):
        return str(root / path.removeprefix(PROJECT_PREFIX))
    return path


def _normpath(path: Path) -> str:
    import os.path

    return os.path.normpath(path)
