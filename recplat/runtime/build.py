"""Builds what the plan says, before it is spread over ranks: the tables without memory, the dense part with."""

from typing import Any

import torch
from torchrec.modules.embedding_configs import DataType, EmbeddingBagConfig, PoolingType
from torchrec.modules.embedding_modules import EmbeddingBagCollection

from recplat.catalog import Catalog
from recplat.lang.kinds import EmbeddingOptimizer, Initializer
from recplat.nn import initialize
from recplat.plan.types import Plan, TablePlan

_DATA_TYPES = {"fp32": DataType.FP32, "fp16": DataType.FP16}


def build_tables(plan: Plan) -> EmbeddingBagCollection:
    """All tables on the meta device, in the plan's order.

    They sum, also where a feature's pooling is the mean: the division is ours (`pooled.py`), since TorchRec's is exact
    for some sharding types only and divides twice where types are mixed.
    """
    configs = [
        EmbeddingBagConfig(
            name=table.name,
            num_embeddings=_num_rows(table),
            embedding_dim=table.storage_dim,
            feature_names=list(table.features),
            pooling=PoolingType.SUM,
            data_type=_DATA_TYPES[table.dtype],
        )
        for table in plan.tables
    ]
    return EmbeddingBagCollection(tables=configs, device=torch.device("meta"))


def build_dense(plan: Plan, catalog: Catalog) -> torch.nn.Module:
    """The dense part with its initial weights, which depend on `train.seed` alone."""
    options = plan.job.spec.model
    module: torch.nn.Module = catalog.implementation(options, "module").build(options, plan.model.inputs)
    initialize(module, plan.job.spec.train.seed)
    return module


def table_optimizer(plan: Plan, table: TablePlan) -> EmbeddingOptimizer:
    """The options of a table's optimiser: its own, or the one for all tables."""
    for spec in plan.job.spec.tables:
        if spec.name == table.name and spec.optimizer is not None:
            return spec.optimizer
    return plan.job.spec.train.embedding_optimizer


def table_initializer(plan: Plan, table: TablePlan, catalog: Catalog) -> Initializer:
    for spec in plan.job.spec.tables:
        if spec.name == table.name:
            return spec.initializer
    default: Any = catalog.options("initializers", "normal")()
    return default  # type: ignore[no-any-return]


def _num_rows(table: TablePlan) -> int:
    if table.num_rows is None:
        raise ValueError(f"the plan does not know the rows of table `{table.name}`")
    return table.num_rows
