"""Runs whose process is gone without a word, by `kill -9` or a power cut: their end is recorded by who comes next."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from recplat.data.file_lock import locked
from recplat.diagnostics import Problems
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.processes import is_alive, is_visible, kill_processes_of
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import RunState, is_abandoned, read_state
from recplat.tracking.runs import run_folders
from recplat.tracking.stores import (
    check_answers,
    choose_uri,
    import_mlflow,
    open_client,
    reason,
    store_errors,
    without_password,
)
from recplat.tracking.tracker import TrackedIn

_ERROR = "its process ended without a word"


def mark_abandoned(root: Path) -> tuple[str, ...]:
    """Mark such runs KILLED, and repeat in MLflow the ends that could not be recorded there. Returns what to tell."""
    told: list[str] = []
    for folder in run_folders(root):
        state = read_state(folder)
        if state is None:  # a run that could not begin removes its folder, maybe just now
            continue
        if is_abandoned(folder, state) and (marked := _mark(folder)) is not None:
            state = marked
            told.append(f"run {state.run_id} has lost its process: marked KILLED")
        place = read_place(folder)
        if place is not None and place.status == "RUNNING" and state.has_ended and not _is_still_recording(state):
            told += _end_in_mlflow(folder, place, state, root)
    return tuple(told)


def _mark(folder: RunFolder) -> RunState | None:
    """The state as marked; None where somebody else has marked it, or resumed it, just before."""
    with locked(folder.lock):
        state = read_state(folder)
        if state is None or not is_abandoned(folder, state):
            return None
        state = msgspec.structs.replace(state, status="KILLED", error=_ERROR, ended=folder.state.stat().st_mtime)
        folder.write(folder.state, state)
        kill_processes_of(folder.path)  # what its ranks had started and could not end
        return state


def _is_still_recording(state: RunState) -> bool:
    return is_visible(state.process) and is_alive(state.process) and time.time() - (state.ended or 0) < 60


def _end_in_mlflow(folder: RunFolder, place: TrackedIn, state: RunState, root: Path) -> list[str]:
    # The folder holds the URI without its password; the environment may have the whole.
    current = choose_uri(None, root)
    uri = current if without_password(current) == place.uri else place.uri
    try:
        check_answers(uri)
    except Problems:
        return [f"run {state.run_id}: MLflow at {place.uri} does not answer, its end is not recorded there yet"]
    import_mlflow()
    try:
        end_time = int((state.ended or time.time()) * 1000)
        open_client(uri).set_terminated(place.mlflow_run_id, state.status, end_time)
    except store_errors() as error:
        if getattr(error, "error_code", None) != "RESOURCE_DOES_NOT_EXIST":
            return [f"run {state.run_id}: its end could not be recorded in MLflow: {reason(error)}"]
    # A run that somebody has deleted in MLflow needs no end there.
    assert state.status in ("FINISHED", "FAILED", "KILLED")
    folder.write(folder.tracking, msgspec.structs.replace(place, status=state.status))
    return []
