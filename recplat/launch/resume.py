"""Which run is continued, from which checkpoint, and what happens to the files of the attempt before."""

from __future__ import annotations

from pathlib import Path

from recplat.diagnostics import Diagnostic, Problems
from recplat.tracking.checkpoints import latest_checkpoint
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import read_state
from recplat.tracking.runs import LATEST, find_run, run_folders

#: What an attempt writes anew; the checkpoints and the state go on.
_OF_ONE_ATTEMPT = ("plan", "statistics", "go", "abort", "events", "logs", "result", "plots", "spec")


def run_to_resume(root: Path, name: str, wanted: str) -> RunFolder:
    """The run of that id, or for `latest` the newest run of the job `name` that did not finish.

    Raises:
        Problems: there is none, it still runs, or it has no complete checkpoint.
    """
    folder = _newest_unfinished(root, name) if wanted == LATEST else find_run(root, wanted)
    state = read_state(folder)
    assert state is not None
    if not state.has_ended:
        raise Problems([_still_running(folder)])
    if state.name != name:
        help = f"name a run of `{name}`, or apply the spec of `{state.name}`"
        raise Problems([Diagnostic("nothing-to-resume", f"run {state.run_id} is one of `{state.name}`", help=help)])
    if latest_checkpoint(folder.checkpoints) is None:
        message = f"run {state.run_id} has no complete checkpoint"
        help = "apply the spec without `--resume`; `spec.train.checkpoint.every_steps` writes checkpoints more often"
        raise Problems([Diagnostic("nothing-to-resume", message, help=help)])
    return folder


def archive_attempt(folder: RunFolder, attempt: int) -> None:
    """Move what the attempt before has left to `attempts/<n>/`, so that nothing of it is taken for new."""
    archive = folder.path / "attempts" / str(attempt)
    archive.mkdir(parents=True, exist_ok=True)
    for name in _OF_ONE_ATTEMPT:
        path: Path = getattr(folder, name)
        if path.exists():
            path.rename(archive / path.name)


def _newest_unfinished(root: Path, name: str) -> RunFolder:
    for folder in run_folders(root):
        state = read_state(folder)
        if state is not None and state.name == name and state.status != "FINISHED":
            return folder
    message = f"no run of `{name}` has stopped before its end"
    raise Problems([Diagnostic("nothing-to-resume", message, help="`recplat runs list` shows what there is")])


def _still_running(folder: RunFolder) -> Diagnostic:
    help = "wait for its end, or stop it with Ctrl-C where it was started"
    return Diagnostic("run-still-running", f"run {folder.path.name} still runs", help=help)
