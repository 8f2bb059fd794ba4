"""The runs of a project, by their folders."""

from __future__ import annotations

import time
from pathlib import Path
from secrets import token_hex

from recplat.diagnostics import Diagnostic, Problems, nearest
from recplat.spec.paths import STATE_FOLDER
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import read_state

LATEST = "latest"


def runs_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "runs"


def new_run_folder(root: Path) -> RunFolder:
    """Make the folder of a new run; its name sorts by time, UTC."""
    folder = RunFolder(runs_folder(root) / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{token_hex(3)}")
    folder.path.mkdir(parents=True)
    ignore = root / STATE_FOLDER / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    return folder


def run_folders(root: Path) -> list[RunFolder]:
    """All runs, newest first."""
    return [RunFolder(path.parent) for path in sorted(runs_folder(root).glob("*/run.json"), reverse=True)]


def find_run(root: Path, wanted: str) -> RunFolder:
    """The run of that id, or the only one that begins so, or the `latest`.

    Raises:
        Problems: there is none, or more than one, or its state can't be read.
    """
    folders = run_folders(root)
    if wanted == LATEST and folders:
        return _readable(folders[0])
    found = [folder for folder in folders if folder.path.name.startswith(wanted)]
    exact = [folder for folder in found if folder.path.name == wanted]
    if exact or len(found) == 1:
        return _readable((exact or found)[0])
    raise Problems([_ambiguous(wanted, found) if found else _unknown(wanted, folders, root)])


def _readable(folder: RunFolder) -> RunFolder:
    if read_state(folder) is None:
        message = f"the state of run {folder.path.name} is lost: `{folder.state}` can't be read"
        help = "a power cut or a full disk may have cut it off; keep what you need of the folder and remove it"
        raise Problems([Diagnostic("run-unreadable", message, help=help)])
    return folder


def _ambiguous(wanted: str, found: list[RunFolder]) -> Diagnostic:
    names = ", ".join(folder.path.name for folder in found[:5])
    message = f"{len(found)} runs begin with `{wanted}`: {names}{', …' if len(found) > 5 else ''}"
    return Diagnostic("run-ambiguous", message, help="write more of the id")


def _unknown(wanted: str, folders: list[RunFolder], root: Path) -> Diagnostic:
    if not folders:
        help = "`recplat apply SPEC` makes one"
        return Diagnostic("run-not-found", f"there are no runs in {runs_folder(root)}", help=help)
    meant = nearest(wanted, [folder.path.name for folder in folders])
    hint = f"did you mean `{meant}`? " if meant else ""
    help = f"{hint}`recplat runs list` shows them; `latest` is the newest"
    return Diagnostic("run-not-found", f"no run of {root} begins with `{wanted}`", help=help)
