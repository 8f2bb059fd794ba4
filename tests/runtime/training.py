"""Runs training inside a rank of the pool."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
import torch.distributed as dist

from recplat.catalog import builtin_catalog
from recplat.data.batches import HostBatch
from recplat.plan.types import Plan
from recplat.runtime.checkpoint import load_checkpoint
from recplat.runtime.duties import Duties
from recplat.runtime.events import EventWriter
from recplat.runtime.finish import finish
from recplat.runtime.loop import train
from recplat.runtime.meter import Meter
from recplat.runtime.ranks import Ranks
from recplat.runtime.stop import Stop
from recplat.runtime.trainer import Trainer, build_trainer
from recplat.tracking.checkpoints import TrainState
from recplat.tracking.run_folder import RunFolder
from tests.runtime.jobs import ArraySource, Rows, make_plan, random_rows

#: Of the tiny job: each sharding type is there, with `data_parallel` for the third table.
SHARDING = ("spec.sharding.tables.user.type=row_wise", "spec.sharding.tables.item.type=table_wise")


class InterruptedSource(ArraySource):
    """Sends SIGTERM to its own rank before a batch, as the launcher does."""

    def __init__(self, *arguments: Any, at: tuple[int, int]) -> None:
        super().__init__(*arguments)
        self.at = at

    def train(self, epoch: int, batch: int) -> Iterator[HostBatch]:
        for host in super().train(epoch, batch):
            if (epoch, host.index) == self.at:
                os.kill(os.getpid(), signal.SIGTERM)
            yield host


def whole_run(
    ranks: Ranks,
    sets: tuple[str, ...],
    folder: Path,
    toggles: dict[str, dict[str, Any]] | None = None,
    **arguments: Any,
) -> dict[str, Any]:
    """A run of the tiny job, see `run_training`.

    Args:
        toggles: settings that the planner would not choose for a CPU.
    """
    plan = make_plan(*SHARDING, *sets, world_size=ranks.world_size)
    for name, settings in (toggles or {}).items():
        changed = tuple(
            msgspec.structs.replace(toggle, active=True, settings=toggle.settings | settings)
            if toggle.name == name
            else toggle
            for toggle in plan.toggles
        )
        plan = msgspec.structs.replace(plan, toggles=changed)
    parts = {"train": random_rows(plan, 101, 0), "eval": random_rows(plan, 43, 1), "test": random_rows(plan, 50, 2)}
    return run_training(ranks, plan, parts, folder, **arguments)


def run_training(
    ranks: Ranks,
    plan: Plan,
    parts: dict[str, Rows],
    folder: Path,
    resume_from: Path | None = None,
    interrupt: tuple[int, int, int] | None = None,
) -> dict[str, Any]:
    """A whole run: its result, this rank's events, the rows it read, all weights before and after training.

    Args:
        interrupt: rank, epoch and batch at which the run is asked to stop.
    """
    run = RunFolder(folder)
    events = EventWriter(run.rank_events(ranks.rank))
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    initial_weights = all_weights(trainer)
    state = load_checkpoint(resume_from, trainer).state if resume_from else TrainState()
    if interrupt is not None and interrupt[0] == ranks.rank:
        source: ArraySource = InterruptedSource(plan, ranks.rank, parts, at=interrupt[1:])
    else:
        source = ArraySource(plan, ranks.rank, parts)
    meter = Meter(ranks, trainer.optimizers, events, Stop(os.getppid()))
    duties = Duties(trainer, source, run, events, "run")
    state, reason = train(trainer, source, duties, meter, state)
    weights = all_weights(trainer)
    finished = finish(trainer, duties, meter, state, reason, resume_from)
    return {
        "finished": finished,
        "events": read_events(run, ranks.rank),
        "initial_weights": initial_weights,
        "weights": weights,
        "final_weights": all_weights(trainer),
        "seen": source.seen,
    }


def read_events(run: RunFolder, rank: int) -> list[dict[str, Any]]:
    path = run.rank_events(rank)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def take_steps(trainer: Trainer, source: ArraySource, num_steps: int) -> list[float]:
    """Train without anything around; this rank's share of each loss."""
    trainer.model.train()
    losses = []
    for host, _ in zip(_endless(source), range(num_steps), strict=False):
        trainer.optimizers.zero_grad()
        loss, trained = trainer.model(trainer.batches.make(host))
        loss.backward()
        trainer.optimizers.step()
        losses.append(float(trained.loss))
    return losses


def _endless(source: ArraySource) -> Iterator[HostBatch]:
    epoch = 0
    while True:
        yield from source.train(epoch, 0)
        epoch += 1


def all_weights(trainer: Trainer) -> dict[str, np.ndarray]:
    """Every weight, whole, on every rank: `tables/<name>`, `dense/<name>`."""
    weights = {f"dense/{name}": tensor.detach().numpy().copy() for name, tensor in trainer.dense.state_dict().items()}
    for table in trainer.plan.tables:
        whole = torch.zeros(table.num_rows or 0, table.storage_dim)
        for local in trainer.tables:
            if local.plan.name == table.name:
                start = local.shard.row_offset
                whole[start : start + len(local.weight_RC)] = local.weight_RC.float()
        if trainer.ranks.world_size > 1:
            if table.sharding == "data_parallel":
                whole /= trainer.ranks.world_size
            dist.all_reduce(whole, group=trainer.ranks.control)
        weights[f"tables/{table.name}"] = whole.numpy()
    return weights
