"""Which run is continued, from which checkpoint, and what happens to the files of the attempt before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from recplat.diagnostics import Diagnostic, Problems
from recplat.spec.build import to_plain
from recplat.spec.types import TrainingJob
from recplat.tracking.checkpoints import latest_checkpoint, read_manifest
from recplat.tracking.params import flatten
from recplat.tracking.record import read_fields
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import RunState, read_state
from recplat.tracking.runs import LATEST, find_run, run_folders
from recplat.tracking.spec_changes import Change, spec_changes

#: What an attempt writes anew; the checkpoints and the state go on.
_OF_ONE_ATTEMPT = ("plan", "statistics", "go", "abort", "events", "logs", "result", "plots", "spec")
_MAX_CHANGES = 30
_MAX_VALUE = 200  # characters of a change


def run_to_resume(root: Path, name: str, wanted: str) -> RunFolder:
    """The run of that id, or for `latest` the newest run of the job `name` that did not finish.

    Raises:
        Problems: there is none, it still runs, it has finished, or it has no complete checkpoint.
    """
    folder = _newest_unfinished(root, name) if wanted == LATEST else find_run(root, wanted)
    state = check_has_ended(folder)
    if state.name != name:
        help = f"name a run of `{name}`, or apply the spec of `{state.name}`"
        raise Problems([Diagnostic("nothing-to-resume", f"run {state.run_id} is one of `{state.name}`", help=help)])
    if state.status == "FINISHED":
        help = "start anew without `--resume`"
        raise Problems([Diagnostic("nothing-to-resume", f"run {state.run_id} has finished", help=help)])
    if latest_checkpoint(folder.checkpoints) is None:
        message = f"run {state.run_id} has no complete checkpoint"
        help = "apply the spec without `--resume`; `spec.train.checkpoint.every_steps` writes checkpoints more often"
        raise Problems([Diagnostic("nothing-to-resume", message, help=help)])
    return folder


def check_has_ended(folder: RunFolder) -> RunState:
    """
    Raises:
        Problems: the run still goes on.
    """
    state = read_state(folder)
    assert state is not None, "its folder was found by its state"
    if not state.has_ended:
        raise Problems([_still_running(folder)])
    return state


def changes_since_the_start(folder: RunFolder, job: TrainingJob) -> tuple[str, ...]:
    """What the spec has changed since the run began, in words; what a resumed run can bear.

    Raises:
        Problems: it changes what a position in training means.
    """
    first = RunFolder(_attempt_folder(folder, 1))
    before = read_fields(first) or read_fields(folder)
    if not before:  # a power cut may have taken it
        return ("the spec that the run began with is lost: whether this one is the same can't be told",)
    changes = spec_changes(before, flatten(to_plain(job)))
    if refused := [change for change in changes if change.moves_rows]:
        raise Problems([_other_spec(folder, refused)])
    return tuple(f"changed since the run began: {_words(change)}" for change in changes)


def check_statistics(folder: RunFolder, digest: str) -> None:
    """
    Raises:
        Problems: the run's newest checkpoint was made from other data.
    """
    checkpoint = latest_checkpoint(folder.checkpoints)
    manifest = read_manifest(checkpoint) if checkpoint else None
    if manifest is None or manifest.statistics_digest in (None, digest):
        return
    message = f"the data has changed since run {folder.path.name} began: its statistics differ"
    help = (
        "put back the files that it began with (and the metrics by group, which have statistics too), or start anew "
        "without `--resume`"
    )
    notes = (f"statistics {str(manifest.statistics_digest)[:12]} -> {digest[:12]}",)
    raise Problems([Diagnostic("resume-mismatch", message, help=help, notes=notes)])


def archive_attempt(folder: RunFolder, attempt: int) -> None:
    """Move what the attempt before has left to `attempts/<n>/`, so that nothing of it is taken for new."""
    archive = _attempt_folder(folder, attempt)
    archive.mkdir(parents=True, exist_ok=True)
    for name in _OF_ONE_ATTEMPT:
        path: Path = getattr(folder, name)
        if path.exists():
            path.rename(archive / path.name)


def _attempt_folder(folder: RunFolder, attempt: int) -> Path:
    return folder.path / "attempts" / str(attempt)


def _newest_unfinished(root: Path, name: str) -> RunFolder:
    for folder in run_folders(root):
        state = read_state(folder)
        if state is not None and state.name == name and state.status != "FINISHED":
            return folder
    message = f"no run of `{name}` has stopped before its end"
    raise Problems([Diagnostic("nothing-to-resume", message, help="`recplat runs list` shows what there is")])


def _other_spec(folder: RunFolder, changes: Sequence[Change]) -> Diagnostic:
    notes = [_words(change) for change in changes[:_MAX_CHANGES]]
    if len(changes) > _MAX_CHANGES:
        notes.append(f"and {len(changes) - _MAX_CHANGES} more")
    return Diagnostic(
        "resume-mismatch",
        f"run {folder.path.name} began with another spec: rows and model would not go together with its checkpoint",
        help="give the same files and `--set` as at its start, or start anew without `--resume`",
        notes=tuple(notes),
    )


def _words(change: Change) -> str:
    words = change.words
    return words if len(words) <= _MAX_VALUE else f"{words[: _MAX_VALUE - 1]}…"


def _still_running(folder: RunFolder) -> Diagnostic:
    help = "wait for its end, or stop it with Ctrl-C where it was started"
    return Diagnostic("run-still-running", f"run {folder.path.name} still runs", help=help)
