"""Files that are made from the code and committed: written, or compared with what lies there."""

import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent


def update(files: Mapping[str, str], arguments: list[str]) -> int:
    """Write the files (path below the root -> text), or with `--check` only say which are stale.

    Returns:
        The exit code: 1 with `--check` when a file is stale or missing, else 0.
    """
    check = arguments == ["--check"]
    stale = [name for name, text in files.items() if _read(ROOT / name) != text]
    for name in stale:
        if check:
            print(f"{name} is stale: run `make schemas` and commit it", file=sys.stderr)
        else:
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(files[name], encoding="utf-8")
            print(f"wrote {name}")
    return 1 if check and stale else 0


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
