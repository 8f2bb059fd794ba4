"""What is due besides steps: evaluations and checkpoints."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from recplat.runtime.best import judge, superfluous
from recplat.runtime.checkpoint import save_checkpoint
from recplat.runtime.evaluate import Evaluation, evaluate
from recplat.runtime.events import EventWriter
from recplat.runtime.source import Source
from recplat.runtime.trainer import Trainer, average_buffers
from recplat.tracking.checkpoints import TrainState, checkpoint_name, complete_checkpoints, partial_checkpoints
from recplat.tracking.events import Checkpointed, Curves, Evaluated, Noted
from recplat.tracking.run_folder import RunFolder

Metrics = dict[str, float | None]


class Due(Struct, frozen=True):
    evaluation: bool
    checkpoint: bool

    def __bool__(self) -> bool:
        return self.evaluation or self.checkpoint


class Duties:
    """Evaluates and writes checkpoints. All ranks perform the same at the same steps."""

    def __init__(self, trainer: Trainer, source: Source, folder: RunFolder, events: EventWriter, run_id: str) -> None:
        self.trainer = trainer
        self.source = source
        self.folder = folder
        self.events = events
        self.run_id = run_id
        self.spec = trainer.plan.job.spec
        self.has_eval = self.has_part("eval")
        best = next((m for m in self.spec.evaluate.metrics if m.metric_name() == self.spec.evaluate.best), None)
        # The spec's rules have seen to it that the metric is there and has a direction.
        self.higher_is_better = best is not None and bool(best.higher_is_better)
        self.checkpointed_step: int | None = None

    def has_part(self, name: str) -> bool:
        return self.source.part(name) is not None

    def due(self, state: TrainState, steps_per_epoch: int) -> Due:
        """What is due after the step that led to `state`; the end of training is handled by `finish`."""
        epoch_ended = state.batch == 0
        every = self.spec.evaluate.every_steps
        evaluation = self.has_eval and (epoch_ended if every is None else state.step % every == 0)
        every = self.spec.train.checkpoint.every_steps
        if every is not None:
            return Due(evaluation, state.step % every == 0)
        return Due(evaluation, evaluation or (not self.has_eval and epoch_ended))

    def perform(self, due: Due, state: TrainState) -> TrainState:
        average_buffers(self.trainer)
        is_best = False
        if due.evaluation:
            state = self._evaluate_during_training(state)
            is_best = state.best is not None and state.best.step == state.step
        # The best must be there to be tested in the end, whatever `every_steps` says.
        if due.checkpoint or is_best:
            self.checkpoint(state)
        return state

    def finish(self, state: TrainState) -> TrainState:
        """Evaluate and keep the last step, unless that was just done."""
        return self.perform(
            Due(self.has_eval and state.evaluated_step != state.step, self.checkpointed_step != state.step), state
        )

    def evaluate(self, part: str, state: TrainState, *, is_best: Callable[[Metrics], bool]) -> Evaluation:
        """Metrics of a part, told to the launcher."""
        trainer = self.trainer
        batches = self.source.part(part)
        assert batches is not None
        result = evaluate(
            trainer.model, trainer.batches, batches, self.spec.evaluate.metrics, trainer.catalog, trainer.ranks
        )
        if trainer.ranks.is_first:
            now = time.time()
            self.events.write(
                Evaluated(
                    time=now,
                    step=state.step,
                    epoch=state.last_epoch,
                    part=part,
                    num_rows=result.num_rows,
                    seconds=result.seconds,
                    metrics=result.metrics,
                    is_best=is_best(result.metrics),
                )
            )
            if result.curves:
                self.events.write(Curves(time=now, step=state.step, part=part, curves=result.curves))
            self._note_undefined(part, result)
        return result

    def checkpoint(self, state: TrainState) -> None:
        start = time.monotonic()
        path = self.folder.checkpoints / checkpoint_name(state.step)
        loss_scale = self.trainer.optimizers.loss_scale
        if loss_scale is not None:
            state = msgspec.structs.replace(state, loss_scale=(loss_scale.scale, loss_scale.good_steps))
        save_checkpoint(path, self.trainer, state, self.run_id)
        self.checkpointed_step = state.step
        if self.trainer.ranks.is_first:
            best = state.best.step if state.best else None
            self.events.write(
                Checkpointed(
                    time=time.time(),
                    step=state.step,
                    path=str(path),
                    seconds=time.monotonic() - start,
                    is_best=best == state.step,
                )
            )
            prune(self.folder.checkpoints, self.spec.train.checkpoint.keep, best)

    def _evaluate_during_training(self, state: TrainState) -> TrainState:
        evaluate_spec, early_stop = self.spec.evaluate, self.spec.train.early_stop

        def judged(metrics: Metrics) -> TrainState:
            return judge(state, metrics, evaluate_spec.best, self.higher_is_better, early_stop)

        def is_best(metrics: Metrics) -> bool:
            best = judged(metrics).best
            return best is not None and best.step == state.step

        return judged(self.evaluate("eval", state, is_best=is_best).metrics)

    def _note_undefined(self, part: str, result: Evaluation) -> None:
        undefined = sorted(name for name, value in result.metrics.items() if value is None)
        if undefined:
            message = f"undefined on the {result.num_rows} rows of `{part}`: {', '.join(undefined)}"
            self.events.write(Noted(time=time.time(), rank=0, code="metric-undefined", message=message))


def prune(checkpoints: Path, keep: int, best: int | None) -> None:
    """Delete superfluous checkpoints, and what is left of those whose writing was cut off."""
    folders = {int(folder.name.removeprefix("step-")): folder for folder in complete_checkpoints(checkpoints)}
    doomed = [folders[step] for step in superfluous(list(folders), keep, best)]
    for folder in [*doomed, *partial_checkpoints(checkpoints)]:
        shutil.rmtree(folder, ignore_errors=True)
