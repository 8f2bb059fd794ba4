"""The end of a run: everything gone, everything recorded."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import time

from recplat.launch.follow import tell_events
from recplat.launch.ranks import Ranks
from recplat.launch.result import GateResult, Result, gates_words
from recplat.launch.types import Run
from recplat.plan.types import Plan
from recplat.tracking.event_files import read_all_events
from recplat.tracking.events import Finished
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.tracker import End

#: Ctrl-C promises an end within 5 s, of which the ranks may take 2 s.
_RECORD_S = {"KILLED": 1.5, "FAILED": 20.0, "FINISHED": 60.0}


def end_run(this: Run, ranks: Ranks, status: End, error: str | None) -> None:
    """End the ranks and record how the run ended, once: what comes later changes nothing.

    A new run that never got ready leaves no trace, unless the fault lay in a rank: then its log may be wanted.
    """
    _stop(this, ranks, status)
    tell_events(this)  # what ranks still said, such as the step that they stopped at
    if this.journal.state.has_ended:
        return
    was_ready = this.journal.state.status == "RUNNING"
    this.journal.end(status, error)
    if was_ready:
        trouble = this.tracker.finish(status, _RECORD_S[status])
        if trouble is not None:
            this.display.note(f"not everything is recorded in MLflow: {trouble}")


def discard(this: Run, ranks: Ranks) -> None:
    """Leave nothing of a run that could not begin; a run that is resumed keeps what it had."""
    if this.is_resumed:
        end_run(this, ranks, "FAILED", "it could not begin")
        return
    _stop(this, ranks, "FAILED")
    this.journal.stop()
    shutil.rmtree(this.folder.path)


def _stop(this: Run, ranks: Ranks, status: End) -> None:
    if status != "FINISHED":
        with contextlib.suppress(OSError):  # on a full disk they leave no less, only later
            this.folder.abort.touch()
    ranks.stop()


def draw(this: Run) -> None:
    """Draw the plots and keep them as artifacts; without matplotlib there are none."""
    if importlib.util.find_spec("matplotlib") is None:
        return
    from recplat.tracking.plots import draw_plots

    title = f"{this.loaded.job.metadata.name}  {this.folder.path.name}"
    if draw_plots(read_all_events(this.folder), this.folder.plots, title):
        this.tracker.artifact(this.folder.plots, "plots")


def record_gates(this: Run, gates: tuple[GateResult, ...]) -> None:
    words = gates_words(gates)
    if words is not None:
        this.journal.update(gates=words)
        this.tracker.tags({"recplat.gates": words})


def result_of(this: Run, plan: Plan, finished: Finished, gates: tuple[GateResult, ...]) -> Result:
    place = read_place(this.folder)
    return Result(
        run_id=this.folder.path.name,
        name=this.loaded.job.metadata.name,
        folder=str(this.folder.path),
        reason=finished.reason,
        steps=finished.step,
        best_step=finished.best_step,
        metrics=finished.metrics,
        gates=gates,
        num_rows=finished.num_rows,
        samples_per_second=finished.rows_per_second,
        loader_wait_fraction=finished.loader_wait_fraction,
        train_seconds=finished.train_seconds,
        seconds=time.time() - this.journal.state.started,
        num_ranks=plan.device.num_ranks,
        device=plan.device.type,
        tracking_uri=place.uri if place else None,
        mlflow_run_id=place.mlflow_run_id if place else None,
        versions=finished.versions,
    )
