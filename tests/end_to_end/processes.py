"""Processes as the system tells of them, found by a path in their environment."""

from __future__ import annotations

from pathlib import Path


def processes_in(folder: Path) -> dict[int, dict[str, str]]:
    """Environments, by process id, of the processes of the runs at or below a folder."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            variables = _environment_of(entry)
            run = variables.get("RECPLAT_RUN", "")
            if run and Path(run).is_relative_to(folder):
                found[int(entry.name)] = variables
    return found


def _environment_of(process: Path) -> dict[str, str]:
    try:
        text = (process / "environ").read_bytes().decode(errors="replace")
        is_zombie = (process / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:  # it has ended meanwhile
        return {}
    return {} if is_zombie else dict(entry.partition("=")[::2] for entry in text.split("\0") if entry)
