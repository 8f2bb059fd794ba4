"""Spreads the tables over ranks exactly as the plan says, or refuses."""

from typing import Any

import torch
from torchrec.distributed.embeddingbag import EmbeddingBagCollectionSharder
from torchrec.distributed.model_parallel import DistributedModelParallel
from torchrec.distributed.sharding_plan import construct_module_sharding_plan, data_parallel, row_wise, table_wise
from torchrec.distributed.types import EmbeddingModuleShardingPlan, ShardingEnv, ShardingPlan
from torchrec.modules.embedding_modules import EmbeddingBagCollection

from recplat.catalog import Catalog
from recplat.plan.types import Plan, TablePlan
from recplat.runtime.build import table_initializer, table_optimizer
from recplat.runtime.failures import RunError
from recplat.runtime.ranks import Ranks
from recplat.runtime.seeds import fill_table
from recplat.runtime.tables import LocalTable


def shard_model(model: torch.nn.Module, plan: Plan, catalog: Catalog, ranks: Ranks) -> DistributedModelParallel:
    """Wrap a model whose `embeddings` are on the meta device, so that each rank holds its shards alone.

    The dense part is not wrapped: its gradients are summed by `optimizers.py`, in one exchange.

    Raises:
        ValueError: TorchRec places a table differently than the plan says.
        RunError: a table has fewer rows than its ranks need.
    """
    placements = {}
    if plan.tables:
        embeddings = model.get_submodule("embeddings")
        assert isinstance(embeddings, EmbeddingBagCollection)
        _name_optimizers(embeddings, plan, catalog)
        placements["embeddings"] = _placement(embeddings, plan, ranks)
    wrapped = DistributedModelParallel(
        model,
        env=ShardingEnv.from_process_group(ranks.group),
        device=ranks.device,
        plan=ShardingPlan(plan=placements),
        sharders=[EmbeddingBagCollectionSharder()],
        init_data_parallel=False,
    )
    wrapped.to(ranks.device)
    return wrapped


def initialise_tables(tables: list[LocalTable], plan: Plan, catalog: Catalog) -> None:
    """Set this rank's rows. After wrapping, because TorchRec drops what a table held before."""
    for table in tables:
        options = table_initializer(plan, table.plan, catalog)
        fill = catalog.implementation(options, "impl").fill
        fill_table(table.weight_RC, table.plan, table.shard.row_offset, plan.job.spec.train.seed, fill, options)


def check_placement(tables: list[LocalTable], plan: Plan, rank: int) -> None:
    """Compare what TorchRec made with the plan.

    Raises:
        ValueError: a shard is missing, has another size or another kernel.
    """
    found = {table.plan.name: table for table in tables}
    for table in plan.tables:
        for shard in table.shards:
            if shard.rank != rank:
                continue
            local = found.get(table.name)
            if local is None:
                if shard.num_rows > 0:
                    raise ValueError(
                        f"table `{table.name}`: the plan puts rows on rank {rank}, TorchRec put none there"
                    )
                continue
            expected, actual = (shard.num_rows, shard.num_columns), tuple(local.weight_RC.shape)
            if actual != expected:
                raise ValueError(
                    f"table `{table.name}`, rank {rank}: the plan says a shard of {expected}, TorchRec made {actual}"
                )
            if local.is_fused != (table.kernel == "fused"):
                raise ValueError(f"table `{table.name}`: TorchRec did not use the plan's kernel, {table.kernel}")


def _name_optimizers(embeddings: EmbeddingBagCollection, plan: Plan, catalog: Catalog) -> None:
    """Tell TorchRec each fused table's optimiser the way `apply_optimizer_in_backward` does.

    That function is not called because it asks for a torch optimiser class and drops FBGEMM's own parameters.
    """
    parameters = dict(embeddings.named_parameters())
    for table in plan.tables:
        if table.kernel != "fused":
            continue
        options = table_optimizer(plan, table)
        fused = catalog.implementation(options, "impl").fused_params(options)
        parameter: Any = parameters[f"embedding_bags.{table.name}.weight"]
        parameter._optimizer_classes = [None]
        parameter._optimizer_kwargs = [fused | {"learning_rate": table.learning_rate}]


def _placement(embeddings: EmbeddingBagCollection, plan: Plan, ranks: Ranks) -> EmbeddingModuleShardingPlan:
    generators = {table.name: _generator(table) for table in plan.tables}
    placement = construct_module_sharding_plan(
        embeddings,
        generators,
        device_type=ranks.device.type,
        world_size=ranks.world_size,
        local_size=plan.job.spec.resources.ranks_per_node,
    )
    for table in plan.tables:
        _check_shards(table, placement[table.name])
    return placement


def _generator(table: TablePlan) -> Any:
    if table.sharding == "data_parallel":
        return data_parallel()
    if table.sharding == "table_wise":
        return table_wise(rank=table.shards[0].rank, compute_kernel=table.kernel)
    if table.sharding == "row_wise":
        return row_wise(compute_kernel=table.kernel)
    raise ValueError(f"table `{table.name}`: the runtime can't place sharding type {table.sharding}")


def _check_shards(table: TablePlan, actual: Any) -> None:
    """Refuse a placement that isn't the plan's, or can't run, before any memory is taken."""
    empty = [shard.rank for shard in table.shards if shard.num_rows == 0]
    if empty:  # FBGEMM's kernels fail on a table without rows
        raise RunError(
            f"table `{table.name}` has too few rows, {table.num_rows}, for {table.sharding} on {len(table.shards)} "
            f"ranks: rank {empty[0]} would hold none",
            f"write `spec.sharding.tables.{table.name}.type: table_wise`",
        )
    if actual.compute_kernel != table.kernel:
        raise ValueError(
            f"table `{table.name}`: the plan says kernel {table.kernel}, "
            f"with {table.sharding} TorchRec takes {actual.compute_kernel}"
        )
    expected = [(shard.rank, [shard.num_rows, shard.num_columns]) for shard in table.shards]
    if actual.sharding_spec is None:  # data parallel: TorchRec says no more than the ranks
        found = [(rank, [table.num_rows, table.storage_dim]) for rank in actual.ranks]
    else:
        sizes = [list(shard.shard_sizes) for shard in actual.sharding_spec.shards]
        found = list(zip(actual.ranks, sizes, strict=True))
    if found != expected:
        raise ValueError(f"table `{table.name}`: the plan's shards are {expected}, TorchRec's are {found}")
