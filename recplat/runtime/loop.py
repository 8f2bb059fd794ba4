"""The training loop: steps, and what is due after some of them."""

import itertools
import sys
from collections.abc import Iterator
from typing import Literal

import msgspec

from recplat.catalog.toggles.pipeline.impl import make_steps
from recplat.catalog.toggles.precision.impl import tf32
from recplat.runtime.batch import Batch
from recplat.runtime.best import is_out_of_patience
from recplat.runtime.duties import Duties
from recplat.runtime.feed import feed
from recplat.runtime.meter import Meter
from recplat.runtime.source import Source
from recplat.runtime.trainer import Trainer
from recplat.tracking.checkpoints import TrainState

Reason = Literal["epochs", "max_steps", "early_stop", "stopped"]


def train(
    trainer: Trainer, source: Source, duties: Duties, meter: Meter, state: TrainState
) -> tuple[TrainState, Reason]:
    """Train from `state` to the end, or until asked to stop."""
    spec = trainer.plan.job.spec
    steps = make_steps(
        trainer.plan.toggle("pipeline").settings["type"], trainer.model, trainer.optimizers, trainer.ranks.device
    )
    trainer.model.train()
    loader = trainer.plan.toggle("dataloader").settings
    with (
        tf32(trainer.plan.toggle("precision").settings["dtype"]),
        feed(_batches(trainer, source, state), prefetch=loader["prefetch"], pin=loader["pin"]) as batches,
    ):
        meter.start(batches)
        for trained in steps.take(iter(batches)):
            meter.add(trained)
            state = _after(state, trained.batch, source.steps_per_epoch)
            due = duties.due(state, source.steps_per_epoch)
            if due or meter.is_due(state.step):
                meter.meet(state)
            if due:
                steps.pause()
                state = duties.perform(due, state)
                meter.restart_clock()
                if is_out_of_patience(state, spec.train.early_stop):
                    return state, "early_stop"
            if meter.must_stop:
                return state, "stopped"
    meter.meet(state)
    return state, "max_steps" if state.step == spec.train.max_steps else "epochs"


def _batches(trainer: Trainer, source: Source, state: TrainState) -> Iterator[Batch]:
    """All batches that are left of the run, over all epochs, so that a pipeline stays full at an epoch's end."""
    spec = trainer.plan.job.spec
    # A resumed run may be past a lowered `max_steps`.
    left = sys.maxsize if spec.train.max_steps is None else max(spec.train.max_steps - state.step, 0)
    for epoch in range(state.epoch, spec.train.epochs):
        start = state.batch if epoch == state.epoch else 0
        for host in itertools.islice(source.train(epoch, start), left):
            yield trainer.batches.make(host)
        left -= source.steps_per_epoch - start
        if left <= 0:
            return


def _after(state: TrainState, batch: Batch, steps_per_epoch: int) -> TrainState:
    is_last = batch.index + 1 == steps_per_epoch
    return msgspec.structs.replace(
        state,
        step=state.step + 1,
        epoch=batch.epoch + int(is_last),
        batch=0 if is_last else batch.index + 1,
        num_rows=state.num_rows + batch.num_global_rows,
    )
