"""The git revision that a run was started from."""

from __future__ import annotations

import subprocess
from pathlib import Path

_TIMEOUT_S = 5.0


def git_revision(folder: Path) -> str | None:
    """The commit, followed by `-dirty` where files differ from it; None outside of git."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
