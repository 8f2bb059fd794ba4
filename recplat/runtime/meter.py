"""Counts rows, time and loss, and brings ranks together a few times a second.

Losses stay on the device until then: reading one makes the host wait for it. What ranks must agree on, whether to stop
and when to meet next, is exchanged in the same breath.
"""

import math
import resource
import time

import torch

from recplat.runtime.events import EventWriter
from recplat.runtime.failures import RunError
from recplat.runtime.feed import Feed
from recplat.runtime.model import Trained
from recplat.runtime.optimizers import Optimizers
from recplat.runtime.ranks import Ranks
from recplat.runtime.stop import Stop
from recplat.tracking.checkpoints import TrainState
from recplat.tracking.events import Step

#: Seconds between Step events.
PERIOD_S = 0.3


class Meter:
    def __init__(self, ranks: Ranks, optimizers: Optimizers, events: EventWriter, stop: Stop) -> None:
        self.ranks = ranks
        self.optimizers = optimizers
        self.events = events
        self.stop = stop
        self.num_rows = 0
        self.seconds = 0.0  # of training alone, up to the last meeting
        self.wait_seconds = 0.0  # for the loader
        self.must_stop = False  # agreed upon by all ranks
        self._next_meeting = 0  # step
        self._losses: list[torch.Tensor] = []
        self._weights: list[float] = []
        self._rows = 0
        self._feed: Feed | None = None
        self._waited = 0.0  # of the feed's count, up to the last meeting
        self._clock = time.monotonic()

    def start(self, feed: Feed) -> None:
        self._feed = feed
        self.restart_clock()

    def add(self, trained: Trained) -> None:
        self._losses.append(trained.loss)
        self._weights.append(trained.batch.total_weight)
        self._rows += trained.batch.num_global_rows

    def is_due(self, step: int) -> bool:
        """Whether ranks meet after this step; all answer alike."""
        return step >= self._next_meeting

    def meet(self, state: TrainState) -> None:
        """Exchange figures, write a Step event, agree on the next meeting.

        Raises:
            RunError: a loss is not finite.
        """
        if not self._losses:
            return
        self.events.step = state.step
        total = self._check_losses(state.step)
        assert self._feed is not None
        waited = self._feed.wait_seconds - self._waited
        seconds = time.monotonic() - self._clock
        num_steps = len(self._losses)
        # The first rank alone says when to meet next: a sum in which the others have 0.
        steps_per_period = max(1, round(PERIOD_S * num_steps / max(seconds, 1e-9))) if self.ranks.is_first else 0
        loss, wait, stop, until_next = self.ranks.sum(
            [total, waited, float(self.stop.requested), float(steps_per_period)]
        )
        self.must_stop = stop > 0
        self._next_meeting = state.step + int(until_next)
        self.num_rows += self._rows
        self.seconds += seconds
        self.wait_seconds += wait / self.ranks.world_size
        if self.ranks.is_first:
            self._write(state, loss, seconds, wait / self.ranks.world_size)
        self._losses, self._weights, self._rows = [], [], 0
        self.restart_clock()

    def restart_clock(self) -> None:
        """Leave the time since the last meeting out: it went into an evaluation or a checkpoint."""
        self._clock = time.monotonic()
        self._waited = self._feed.wait_seconds if self._feed else 0.0

    def _check_losses(self, step: int) -> float:
        """The sum of this rank's losses, each times the weight of its batch."""
        losses = torch.stack(self._losses).double().tolist()
        for place, loss in enumerate(losses):
            if not math.isfinite(loss):
                dense, embedding = self.optimizers.learning_rates
                raise RunError(
                    f"the loss is {loss} at step {step - len(losses) + place + 1}; the learning rates are {dense:g} "
                    f"for the dense part and {embedding:g} for the tables",
                    "lower the learning rates, set `train.clip_grad_norm`, start with `linear_warmup`, "
                    "or write `precision: fp32`; a numeric feature of very large values may want `zscore`",
                )
        return math.fsum(loss * weight for loss, weight in zip(losses, self._weights, strict=True))

    def _write(self, state: TrainState, loss: float, seconds: float, wait: float) -> None:
        dense, embedding = self.optimizers.learning_rates
        weight = math.fsum(self._weights)
        self.events.write(
            Step(
                time=time.time(),
                step=state.step,
                epoch=state.last_epoch,
                loss=loss / weight if weight > 0 else 0.0,
                num_rows=self.num_rows,
                rows_per_second=self._rows / max(seconds, 1e-9),
                loader_wait_fraction=min(wait / max(seconds, 1e-9), 1.0),
                dense_learning_rate=dense,
                embedding_learning_rate=embedding,
                memory_bytes=memory_bytes(self.ranks.device),
            )
        )


def memory_bytes(device: torch.device) -> int:
    """The allocator's peak on a GPU, else the largest resident memory of this process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
