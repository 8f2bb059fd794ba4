"""From the last step to the result: the best weights, the test part, the Finished event."""

import platform
import time
from importlib.metadata import version
from pathlib import Path

import torch

from recplat.runtime.checkpoint import load_weights
from recplat.runtime.duties import Duties
from recplat.runtime.loop import Reason
from recplat.runtime.meter import Meter
from recplat.runtime.trainer import Trainer
from recplat.tracking.checkpoints import TrainState, checkpoint_name, read_manifest
from recplat.tracking.events import Finished, Noted


def finish(
    trainer: Trainer, duties: Duties, meter: Meter, state: TrainState, reason: Reason, resumed_from: Path | None
) -> Finished:
    """Evaluate what is left to be evaluated and write the result. A run that was stopped keeps its place, no more."""
    if reason == "stopped":
        if duties.checkpointed_step != state.step:
            duties.checkpoint(state)
    else:
        state = duties.finish(state)
    metrics: dict[str, dict[str, float | None]] = {}
    if state.best is not None:
        metrics["eval"] = state.best.metrics
    if reason != "stopped" and duties.has_part("test"):
        _restore_best(trainer, duties, state, resumed_from)
        metrics["test"] = duties.evaluate("test", state, is_best=lambda metrics: False).metrics
    finished = _result(meter, state, reason, metrics)
    if trainer.ranks.is_first:
        duties.folder.write(duties.folder.result, finished)
        duties.events.write(finished)
    return finished


def _restore_best(trainer: Trainer, duties: Duties, state: TrainState, resumed_from: Path | None) -> None:
    """Load the best checkpoint's weights, unless they are the last step's."""
    if state.best is None or state.best.step == state.step:
        return
    name = checkpoint_name(state.best.step)
    places = [duties.folder.checkpoints / name, *([resumed_from.parent / name] if resumed_from else [])]
    folder = next((place for place in places if read_manifest(place) is not None), None)
    if folder is not None:
        load_weights(folder, trainer)
    elif trainer.ranks.is_first:
        message = f"the checkpoint of the best step, {state.best.step}, is gone; the last step's weights are tested"
        duties.events.write(Noted(time=time.time(), rank=0, code="best-checkpoint-missing", message=message))


def _result(meter: Meter, state: TrainState, reason: Reason, metrics: dict[str, dict[str, float | None]]) -> Finished:
    return Finished(
        time=time.time(),
        step=state.step,
        epoch=state.last_epoch,
        reason=reason,
        num_rows=meter.num_rows,
        train_seconds=meter.seconds,
        rows_per_second=meter.num_rows / meter.seconds if meter.seconds > 0 else 0.0,
        loader_wait_fraction=min(meter.wait_seconds / meter.seconds, 1.0) if meter.seconds > 0 else 0.0,
        best_step=state.best.step if state.best else None,
        metrics=metrics,
        versions={
            "python": platform.python_version(),
            "torch": str(torch.__version__),  # a TorchVersion, which JSON does not know
            "torchrec": version("torchrec"),
            "recplat": version("recplat"),
        },
    )
