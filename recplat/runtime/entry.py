"""The story of one rank: import, wait, build, train, evaluate, tell."""

import logging
import os
import time
import warnings
from pathlib import Path

import torch
from torch import distributed as dist

from recplat.catalog import open_catalog
from recplat.plan.codec import decode_plan
from recplat.plan.types import Plan
from recplat.runtime.checkpoint import load_checkpoint
from recplat.runtime.duties import Duties
from recplat.runtime.events import EventWriter
from recplat.runtime.failures import RunError
from recplat.runtime.finish import finish
from recplat.runtime.handshake import wait_for_go
from recplat.runtime.loop import train
from recplat.runtime.meter import Meter
from recplat.runtime.ranks import join_ranks
from recplat.runtime.source import PreparedSource
from recplat.runtime.stop import Stop
from recplat.runtime.trainer import build_trainer
from recplat.tracking.checkpoints import TrainState, partial_checkpoints
from recplat.tracking.events import Noted, Ready
from recplat.tracking.run_folder import Go, RunFolder


def run_rank(folder: RunFolder, events: EventWriter, rank: int, started: float, parent: int) -> None:
    """Take part in a run as one of its ranks, from the imports, which are done, to the result.

    Args:
        started: when the process started, seconds since the epoch.
        parent: process id of the parent at that time; when it changes, the parent has died.
    """
    _quieten_libraries()
    events.write(Ready(time=time.time(), rank=rank, phase="imported", seconds=time.time() - started))
    go = wait_for_go(folder, parent)
    if not isinstance(go, Go):
        return
    catalog = open_catalog(tuple(Path(root) for root in go.catalog_folders))
    plan = decode_plan(folder.plan.read_bytes(), catalog)
    _check_machine(plan)
    torch.set_num_threads(plan.device.cpus_per_rank)
    stop = Stop(parent)
    ranks = join_ranks(plan.device.type)
    trainer = build_trainer(plan, catalog, ranks)
    resume_from = Path(go.resume_from) if go.resume_from else None
    state = load_checkpoint(resume_from, trainer).state if resume_from else TrainState()
    _note_partial_checkpoints(folder, events, rank)
    source = PreparedSource(Path(go.prepared), plan, ranks)
    events.write(Ready(time=time.time(), rank=rank, phase="built", seconds=time.time() - started))
    meter = Meter(ranks, trainer.optimizers, events, stop)
    duties = Duties(trainer, source, folder, events, go.run_id)
    if resume_from is not None and resume_from.parent == folder.checkpoints:
        duties.checkpointed_step = state.step
    state, reason = train(trainer, source, duties, meter, state)
    finish(trainer, duties, meter, state, reason, resume_from)
    dist.destroy_process_group()


def _quieten_libraries() -> None:
    """Leave out warnings that come with every run and would hide the cause of a failure at the end of a rank's log."""
    for name in ("torch.fx._symbolic_trace", "torchrec.distributed.utils"):
        logging.getLogger(name).setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", message=".*(broadcast_buffers|dense_embedding_codegen_lookup_function).*")


def _note_partial_checkpoints(folder: RunFolder, events: EventWriter, rank: int) -> None:
    partial = [path.name for path in partial_checkpoints(folder.checkpoints)]
    if partial and rank == 0:
        message = f"not complete, so they were not resumed from: {', '.join(partial)}"
        events.write(Noted(time=time.time(), rank=rank, code="partial-checkpoint-ignored", message=message))


def _check_machine(plan: Plan) -> None:
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    if plan.device.num_ranks != world_size:
        raise ValueError(f"the plan is for {plan.device.num_ranks} ranks, {world_size} were started")
    if plan.device.type == "cuda" and not torch.cuda.is_available():
        raise RunError(
            "the plan is for CUDA and torch finds no GPU here",
            "install torch's CUDA build and the driver (`recplat doctor` looks), or write `resources: {device: cpu}`",
        )
