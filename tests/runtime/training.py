"""Runs training inside a rank of the pool."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist

from recplat.catalog import builtin_catalog
from recplat.plan.types import Plan
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
from tests.runtime.jobs import ArraySource, Rows


def run_training(
    ranks: Ranks, plan: Plan, parts: dict[str, Rows], folder: Path, resume_from: Path | None = None
) -> dict[str, Any]:
    """A whole run; the result, this rank's events, and all weights."""
    from recplat.runtime.checkpoint import load_checkpoint

    run = RunFolder(folder)
    events = EventWriter(run.rank_events(ranks.rank))
    trainer = build_trainer(plan, builtin_catalog(), ranks)
    state = load_checkpoint(resume_from, trainer).state if resume_from else TrainState()
    source = ArraySource(plan, ranks.rank, parts)
    meter = Meter(ranks, trainer.optimizers, events, Stop(os.getppid()))
    duties = Duties(trainer, source, run, events, "run")
    state, reason = train(trainer, source, duties, meter, state)
    weights = all_weights(trainer)
    finished = finish(trainer, duties, meter, state, reason, resume_from)
    events.close()
    return {"finished": finished, "events": read_events(run, ranks.rank), "weights": weights, "seen": source.seen}


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


def _endless(source: ArraySource) -> Any:
    epoch = 0
    while True:
        yield from source.train(epoch, 0)
        epoch += 1


def all_weights(trainer: Trainer) -> dict[str, np.ndarray]:
    """Every weight, whole, on every rank: `tables/<name>`, `dense/<name>`."""
    weights = {f"dense/{name}": tensor.detach().numpy().copy() for name, tensor in trainer.dense.state_dict().items()}
    for table in trainer.plan.tables:
        whole = torch.zeros(table.num_rows or 0, table.storage_dim)
        copies = torch.zeros(1)
        for local in trainer.tables:
            if local.plan.name == table.name:
                start = local.shard.row_offset
                whole[start : start + len(local.weight_RC)] = local.weight_RC.float()
                copies += 1
        if trainer.ranks.world_size > 1 and table.sharding == "data_parallel":
            whole /= copies * trainer.ranks.world_size
        if trainer.ranks.world_size > 1:
            dist.all_reduce(whole, group=trainer.ranks.control)
        weights[f"tables/{table.name}"] = whole.numpy()
    return weights
