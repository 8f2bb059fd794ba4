"""Everything that trains on one rank, put together from the plan."""

from dataclasses import dataclass
from typing import Any

import torch

from recplat.catalog import Catalog
from recplat.catalog.toggles.precision.impl import LossScale
from recplat.plan.types import Plan
from recplat.runtime.batch import Batches
from recplat.runtime.build import build_dense, build_tables
from recplat.runtime.failures import RunError
from recplat.runtime.model import Head, RankModel
from recplat.runtime.optimizers import Optimizers
from recplat.runtime.parallel import check_placement, initialise_tables, shard_model
from recplat.runtime.ranks import Ranks
from recplat.runtime.tables import LocalTable, feature_order, local_tables


@dataclass(frozen=True)
class Trainer:
    plan: Plan
    catalog: Catalog
    ranks: Ranks
    model: Any  # TorchRec's DistributedModelParallel around a RankModel
    dense: torch.nn.Module
    tables: list[LocalTable]
    optimizers: Optimizers
    batches: Batches


def build_trainer(plan: Plan, catalog: Catalog, ranks: Ranks) -> Trainer:
    """Build the model with its initial weights, spread over ranks as the plan says.

    Raises:
        ValueError: TorchRec places a table differently than the plan.
        RunError: the model can't be trained as the toggles ask.
    """
    loss_scale = LossScale() if plan.toggle("precision").settings["dtype"] == "fp16" else None
    dense = build_dense(plan, catalog)
    _check_accumulation(dense, plan)
    model = RankModel(build_tables(plan) if plan.tables else None, Head(dense, plan, ranks.rank, loss_scale))
    wrapped = shard_model(model, plan, catalog, ranks)
    embeddings = model.embeddings  # replaced by its sharded form
    tables = local_tables(embeddings, plan.tables, ranks.rank) if embeddings is not None else []
    check_placement(tables, plan, ranks.rank)
    initialise_tables(tables, plan, catalog)
    return Trainer(
        plan=plan,
        catalog=catalog,
        ranks=ranks,
        model=wrapped,
        dense=dense,
        tables=tables,
        optimizers=Optimizers(dense, tables, plan, catalog, ranks, loss_scale),
        batches=Batches(plan, feature_order(embeddings) if embeddings is not None else [], ranks.world_size),
    )


def average_buffers(trainer: Trainer) -> None:
    """Give every rank the mean of the ranks' batch statistics, before they are used or saved."""
    if trainer.ranks.world_size == 1:
        return
    for buffer in trainer.dense.buffers():
        if buffer.is_floating_point():
            torch.distributed.all_reduce(buffer, group=trainer.ranks.group)
            buffer /= trainer.ranks.world_size


def _check_accumulation(dense: torch.nn.Module, plan: Plan) -> None:
    if plan.toggle("grad_accumulation").settings["steps"] == 1:
        return
    for name, module in dense.named_modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            raise RunError(
                f"`grad_accumulation` would change the results of layer `{name}`, which uses the statistics of a batch",
                "write `batch_norm: false` in `spec.model`, or `grad_accumulation: false`",
            )
