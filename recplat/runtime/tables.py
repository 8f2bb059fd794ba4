"""The rows that this rank holds: their weights and optimiser state, whatever kernel TorchRec keeps them in.

All knowledge of where TorchRec and FBGEMM keep such tensors is in this file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.distributed._shard.metadata import ShardMetadata
from torch.distributed._shard.sharded_tensor.api import ShardedTensor
from torch.distributed._shard.sharded_tensor.metadata import ShardedTensorMetadata, TensorProperties
from torch.distributed._shard.sharded_tensor.shard import Shard as TensorShard
from torchrec.distributed.batched_embedding_kernel import BaseBatchedEmbeddingBag, BatchedFusedEmbeddingBag

from recplat.lang.kinds import Shard
from recplat.plan.types import TablePlan

#: Optimisers whose update depends on how many steps were done; with others a counter is kept in vain.
COUNTS_STEPS = ("adam",)


@dataclass(frozen=True)
class LocalTable:
    """The part of a table on this rank. R: rows of the shard, C: the table's storage width."""

    plan: TablePlan
    shard: Shard
    weight_RC: torch.Tensor  # shares memory with the kernel
    module: Any  # FBGEMM's module, shared with the other tables of its group
    parameter: torch.nn.Parameter | None = None  # dense kernel: `weight_RC` as an optimiser sees it
    fused_states: dict[str, torch.Tensor] = field(default_factory=dict)

    @property
    def is_fused(self) -> bool:
        return self.parameter is None


def local_tables(embeddings: Any, tables: tuple[TablePlan, ...], rank: int) -> list[LocalTable]:
    """The tables of a sharded EmbeddingBagCollection that have rows here."""
    plans = {table.name: table for table in tables}
    found = []
    for kernel in _kernels(embeddings):
        weights = kernel.emb_module.split_embedding_weights()
        fused = isinstance(kernel, BatchedFusedEmbeddingBag)
        # Empty for an optimiser without state.
        states = (fused and kernel.emb_module.get_optimizer_state()) or [{}] * len(weights)
        for config, weight_RC, state in zip(kernel.config.embedding_tables, weights, states, strict=True):
            plan = plans[config.name]
            found.append(
                LocalTable(
                    plan=plan,
                    shard=next(shard for shard in plan.shards if shard.rank == rank),
                    weight_RC=weight_RC.detach(),
                    module=kernel.emb_module,
                    parameter=None if fused else torch.nn.Parameter(weight_RC.detach()),
                    fused_states=dict(state),
                )
            )
    return found


def feature_order(embeddings: Any) -> list[str]:
    """Features in the order in which a sharded EmbeddingBagCollection looks them up."""
    return [feature for sharding in embeddings._embedding_shardings for feature in sharding.feature_names()]


def optimizer_states(table: LocalTable, optimizer: torch.optim.Optimizer | None) -> dict[str, torch.Tensor]:
    """The state of a table's optimiser under names and shapes that don't depend on the kernel.

    A state has the shape of the shard, one value for each row, or none for the whole table. The tensors share memory
    with the optimiser's own.

    Args:
        optimizer: the table's own optimiser, for a dense kernel.
    """
    counts = {}
    if table.plan.optimizer in COUNTS_STEPS:
        counts["step"] = table.module.iter[0] if table.is_fused else _dense_state(table, optimizer)["step"]
    states = table.fused_states if table.is_fused else _dense_state(table, optimizer)
    by_row = {
        name: state.view(-1) if state.dim() == 2 and state.shape[1] == 1 else state
        for name, state in states.items()
        if state.dim() > 0
    }
    return by_row | counts


def whole_tensor(table: LocalTable, part: torch.Tensor) -> Any:
    """A tensor of this rank's rows as part of the whole table's, for torch.distributed.checkpoint."""
    plan = table.plan
    if part.dim() == 0 or plan.sharding == "data_parallel":
        return part
    # One value for each row has no columns.
    shards = [shard for shard in plan.shards if shard.num_rows > 0]
    all_metadata = [_shard_metadata(shard, part) for shard in shards]
    size = torch.Size([plan.num_rows or 0, plan.storage_dim][: part.dim()])
    metadata = ShardedTensorMetadata(
        shards_metadata=all_metadata, size=size, tensor_properties=TensorProperties(dtype=part.dtype)
    )
    local = TensorShard(part, _shard_metadata(table.shard, part))
    return ShardedTensor._init_from_local_shards_and_global_metadata([local], metadata)


def attach_gradients(tables: list[LocalTable]) -> None:
    """Let each dense-kernel table see its part of its group's gradient, which is one flat tensor."""
    for table in tables:
        if table.parameter is not None:
            flat = table.module.weights
            offset = table.weight_RC.storage_offset() - flat.storage_offset()
            part = None if flat.grad is None else flat.grad[offset : offset + table.weight_RC.numel()]
            table.parameter.grad = None if part is None else part.view_as(table.weight_RC)


def clear_gradients(tables: list[LocalTable]) -> None:
    for table in tables:
        if table.parameter is not None:
            table.parameter.grad = None
            table.module.weights.grad = None


def _kernels(embeddings: Any) -> Iterator[Any]:
    for lookup in embeddings._lookups:
        for module in lookup.modules():
            if isinstance(module, BaseBatchedEmbeddingBag):
                yield module


def _dense_state(table: LocalTable, optimizer: torch.optim.Optimizer | None) -> dict[str, torch.Tensor]:
    assert optimizer is not None
    assert table.parameter is not None
    return dict(optimizer.state[table.parameter])


def _shard_metadata(shard: Shard, part: torch.Tensor) -> ShardMetadata:
    return ShardMetadata(
        shard_offsets=[shard.row_offset, shard.column_offset][: part.dim()],
        shard_sizes=[shard.num_rows, shard.num_columns][: part.dim()],
        placement=f"rank:{shard.rank}/{part.device}",
    )
