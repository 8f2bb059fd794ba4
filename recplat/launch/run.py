"""One run, from a typed job to its result.

folder -> ranks start and import torch | statistics, plan, data; MLflow opens -> go -> events until the end
"""

from __future__ import annotations

import time

from recplat.data.file_lock import locked
from recplat.diagnostics import Problems, refusal
from recplat.lang.shapes import Device
from recplat.launch.describe import tracked_run, write_spec
from recplat.launch.display import Display
from recplat.launch.ending import discard, draw, end_run, record_gates, result_of
from recplat.launch.failure import RunFailed, run_failure
from recplat.launch.follow import check_time_limit, follow
from recplat.launch.interrupt import Interrupted, interruptible
from recplat.launch.prepare import Preparation, prepare_run
from recplat.launch.ranks import RUNTIME, Ranks, start_ranks
from recplat.launch.result import Result, check_gates
from recplat.launch.resume import (
    archive_attempt,
    changes_since_the_start,
    check_has_ended,
    check_statistics,
    run_to_resume,
)
from recplat.launch.types import Run
from recplat.plan import encode_plan, local_device
from recplat.spec import LoadedJob
from recplat.tracking.abandoned import mark_abandoned
from recplat.tracking.checkpoints import latest_checkpoint, read_manifest
from recplat.tracking.choose import open_tracker
from recplat.tracking.event_files import EventFiles, read_all_events, read_events
from recplat.tracking.events import Evaluated
from recplat.tracking.git import git_revision
from recplat.tracking.processes import this_process
from recplat.tracking.run_folder import Go, RunFolder
from recplat.tracking.run_state import Journal, RunState
from recplat.tracking.runs import new_run_folder


def run(loaded: LoadedJob, display: Display, *, resume: str | None = None, module: str = RUNTIME) -> Result:
    """Train the job on this machine and wait for its end.

    Args:
        resume: id of a run to continue, or `latest`.
        module: what each rank runs, told the run's folder.
    Raises:
        Problems: the data, the plan or the tracking store is at fault; `RunFailed` when a rank is.
        Interrupted: by a signal; everything has ended and the run is marked KILLED.
    """
    try:
        return _run(_open(loaded, display, resume), module)
    except RunFailed as failed:
        failed.diagnostics = loaded.placed(failed).diagnostics
        failed.sources = loaded.document.sources
        raise
    except Problems as problems:
        raise loaded.placed(problems) from None
    finally:
        display.close()


def _run(this: Run, module: str) -> Result:
    device = local_device(this.loaded.job.spec.resources)
    ranks = start_ranks(this.folder, device, module)
    with interruptible(ranks.kill):
        try:
            return _train(this, ranks, device)
        except Interrupted as interrupted:
            this.display.note(f"{interrupted.signal_name}: the ranks are being ended; a second one ends them at once")
            end_run(this, ranks, "KILLED", f"interrupted by {interrupted.signal_name}")
            this.display.note(_how_it_ended(this))
            raise
        except RunFailed as failed:
            end_run(this, ranks, "FAILED", failed.diagnostics[0].message)
            raise
        except Problems:
            discard(this, ranks)
            raise
        except OSError as error:
            problem = refusal(error)
            if problem is None or this.journal.state.status == "RUNNING":
                end_run(this, ranks, "FAILED", str(error))
                raise
            discard(this, ranks)
            raise Problems([problem]) from error
        except BaseException as error:
            end_run(this, ranks, "FAILED", f"{type(error).__name__}: {error}")
            raise


def _open(loaded: LoadedJob, display: Display, resume: str | None) -> Run:
    """Everything that can refuse the run before anything is written."""
    job, root = loaded.job, loaded.root
    for told in mark_abandoned(root):
        display.note(told)
    before = run_to_resume(root, job.metadata.name, resume) if resume else None
    changes = changes_since_the_start(before, job) if before else ()
    tracker = open_tracker(job, root, display.note)
    folder = before or new_run_folder(root)
    journal = _take_over(folder, loaded) if before else Journal(folder, _state(loaded, folder, None))
    display.started(folder.path.name, str(folder.path))
    for change in changes:
        display.note(change)
    return Run(
        loaded=loaded,
        folder=folder,
        journal=journal,
        tracker=tracker,
        display=display,
        events=EventFiles(folder),
        is_resumed=before is not None,
    )


def _take_over(folder: RunFolder, loaded: LoadedJob) -> Journal:
    """Answer for a run that has ended, from now on; of several who try at once, one alone does."""
    with locked(folder.lock):
        earlier = check_has_ended(folder)
        archive_attempt(folder, earlier.attempt)
        return Journal(folder, _state(loaded, folder, earlier))


def _state(loaded: LoadedJob, folder: RunFolder, earlier: RunState | None) -> RunState:
    now = time.time()
    return RunState(
        run_id=folder.path.name,
        name=loaded.job.metadata.name,
        status="PREPARING",
        process=this_process(),
        created=earlier.created if earlier else now,
        started=now,
        attempt=earlier.attempt + 1 if earlier else 1,
        spec_file=loaded.document.files[0],
        git_revision=git_revision(loaded.root),
    )


def _train(this: Run, ranks: Ranks, device: Device) -> Result:
    def check() -> None:
        if ranks.exit_code() is not None:
            raise run_failure(this.folder, read_events(this.folder), ranks)
        check_time_limit(this)

    write_spec(this.loaded, this.folder)
    preparation = prepare_run(this.loaded, device, this.display, check)
    if this.is_resumed:
        check_statistics(this.folder, preparation.statistics.digest)
    this.tracker.wait_until_open()
    step = _let_go(this, preparation)
    this.tracker.start(tracked_run(this, preparation))
    if step is not None:
        _tell_evaluations_up_to(step, this)
    this.journal.update(status="RUNNING")
    finished = follow(this, ranks)
    ranks.stop()
    gates = check_gates(this.loaded.job.spec.evaluate.gates, finished)
    record_gates(this, gates)
    draw(this)
    this.tracker.artifact(this.folder.result, "")
    end_run(this, ranks, "FINISHED", None)
    return result_of(this, preparation.plan, finished, gates)


def _how_it_ended(this: Run) -> str:
    """For a person who interrupted a run: perhaps it had come to its end just before."""
    folder, status = this.folder, this.journal.state.status
    checkpoint = latest_checkpoint(folder.checkpoints)
    manifest = read_manifest(checkpoint) if checkpoint else None
    if status != "KILLED":
        rest = f"`recplat runs show {folder.path.name}` shows it"
    elif manifest is None:
        rest = "it has no checkpoint"
    else:
        rest = f"`--resume` goes on from step {manifest.state.step}"
    return f"run {folder.path.name} is marked {status}; {rest}"


def _let_go(this: Run, preparation: Preparation) -> int | None:
    """Hand the ranks what they wait for; `go.json` comes last. Returns the step that a resumed run goes on from."""
    folder = this.folder
    folder.plan.write_bytes(encode_plan(preparation.plan))
    folder.write(folder.statistics, preparation.statistics)
    checkpoint = latest_checkpoint(folder.checkpoints) if this.is_resumed else None
    go = Go(
        prepared=str(preparation.data),
        catalog_folders=tuple(str(each) for each in this.loaded.catalog_folders),
        resume_from=str(checkpoint) if checkpoint else None,
        run_id=folder.path.name,
    )
    folder.write(folder.go, go)
    manifest = read_manifest(checkpoint) if checkpoint else None
    if manifest is None:
        return None
    this.display.note(f"goes on from the checkpoint of step {manifest.state.step}")
    return manifest.state.step


def _tell_evaluations_up_to(step: int, this: Run) -> None:
    """A launcher that was killed may not have recorded the last ones; MLflow keeps each once, however often told."""
    for event in read_all_events(this.folder):
        if isinstance(event, Evaluated) and event.step <= step:
            this.tracker.event(event)
