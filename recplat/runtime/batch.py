"""A rank's part of a batch, as the model takes it.

B: rows of this rank; P >= B: rows of the largest part of any rank; D: dense features; M: bags pooled by their mean.
TorchRec's exchanges need the same number of rows on every rank. A last batch may leave some ranks less, or nothing:
their ids are padded to P with empty bags, which look up nothing, and the dense part sees the B real rows alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torchrec.sparse.jagged_tensor import KeyedJaggedTensor
from torchrec.streamable import Pipelineable

from recplat.data.batches import HostBatch
from recplat.data.part_reader import Ids
from recplat.plan.types import Plan
from recplat.runtime.failures import RunError


@dataclass(slots=True)
class Batch(Pipelineable):  # type: ignore[misc]
    dense_BD: torch.Tensor
    ids: KeyedJaggedTensor
    counts_BM: torch.Tensor | None  # ids of each bag that is pooled by its mean, at least 1
    labels_B: torch.Tensor
    weights_B: torch.Tensor | None
    num_global_rows: int
    total_weight: float  # over all ranks
    epoch: int
    index: int

    def to(self, device: torch.device, non_blocking: bool = False) -> "Batch":
        if device.type == "cpu":
            return self
        return self._map(lambda part: part.to(device, non_blocking=non_blocking))

    def pin_memory(self) -> "Batch":
        return self._map(lambda part: part.pin_memory())

    def record_stream(self, stream: torch.Stream) -> None:
        for part in (self.dense_BD, self.ids, self.counts_BM, self.labels_B, self.weights_B):
            if part is not None:
                part.record_stream(stream)

    def _map(self, change: Callable[[Any], Any]) -> "Batch":
        return replace(
            self,
            dense_BD=change(self.dense_BD),
            ids=change(self.ids),
            counts_BM=None if self.counts_BM is None else change(self.counts_BM),
            labels_B=change(self.labels_B),
            weights_B=None if self.weights_B is None else change(self.weights_B),
        )


class Batches:
    """Turns host batches into batches; knows the plan's features and the order of keys that TorchRec wants.

    S: features with one id a row.
    """

    def __init__(self, plan: Plan, key_order: Sequence[str], world_size: int) -> None:
        """`key_order`: features in the order of the sharded tables, so that TorchRec needn't permute."""
        bags = [feature for feature in plan.features if feature.gives == "bag"]
        rows = {table.name: table.num_rows or 0 for table in plan.tables}
        self.keys = list(key_order)
        self.world_size = world_size
        self.rows = {bag.name: rows[bag.table or ""] for bag in bags}
        self.columns = {bag.name: place for place, bag in enumerate(bag for bag in bags if not bag.is_list)}
        self.lists = [bag.name for bag in bags if bag.is_list]
        self.means = [bag.name for bag in bags if bag.is_list and bag.pooling == "mean"]
        self.rows_S = np.array([self.rows[name] for name in self.columns], dtype=np.int64)

    def make(self, host: HostBatch) -> Batch:
        """The batch in host memory.

        Raises:
            RunError: an id is outside its table.
        """
        num_rows = len(host.labels)
        dense = host.dense if host.dense is not None else np.empty((num_rows, 0), np.float32)
        return Batch(
            dense_BD=torch.from_numpy(dense),
            ids=self._ids(host, num_rows) if self.keys else KeyedJaggedTensor.empty(),
            counts_BM=self._counts(host) if self.means else None,
            labels_B=torch.from_numpy(host.labels),
            weights_B=None if host.weights is None else torch.from_numpy(host.weights),
            num_global_rows=host.num_global_rows,
            total_weight=host.total_weight,
            epoch=host.epoch,
            index=host.index,
        )

    def _ids(self, host: HostBatch, num_rows: int) -> KeyedJaggedTensor:
        """One KeyedJaggedTensor over all keys, each padded to P rows."""
        ids_SB: Ids | None = None if host.ids is None else np.ascontiguousarray(host.ids.T)  # type: ignore[assignment]
        self._check(host, ids_SB)
        padded = max(-(-host.num_global_rows // self.world_size), 1)
        columns = {} if ids_SB is None else {key: ids_SB[column] for key, column in self.columns.items()}
        values = [columns[key] if key in columns else host.bags[key][0] for key in self.keys]
        offsets = None
        if not self.lists and num_rows == padded:
            num_ids = num_rows * len(self.keys)
            lengths = torch.ones(num_ids, dtype=torch.int32)
            offsets = torch.arange(num_ids + 1, dtype=torch.int32)
        else:
            ones, padding = np.ones(num_rows, np.int32), np.zeros(padded - num_rows, np.int32)
            counts = [host.bags[key][1] if key in host.bags else ones for key in self.keys]
            lengths = torch.from_numpy(np.concatenate([part for count in counts for part in (count, padding)]))
        return KeyedJaggedTensor(
            keys=self.keys,
            values=torch.from_numpy(np.concatenate(values)),
            lengths=lengths,
            offsets=offsets,
            stride=padded,
            length_per_key=[len(part) for part in values],
        )

    def _counts(self, host: HostBatch) -> torch.Tensor:
        counts_BM = np.stack([host.bags[name][1] for name in self.means], axis=1).astype(np.float32)
        return torch.from_numpy(np.maximum(counts_BM, 1, out=counts_BM))

    def _check(self, host: HostBatch, ids_SB: Ids | None) -> None:
        """The reader has checked ids already; TorchRec wouldn't notice one that slipped through."""
        if ids_SB is not None and ids_SB.size:
            wrong_S = (ids_SB.min(axis=1) < 0) | (ids_SB.max(axis=1) >= self.rows_S)
            if wrong_S.any():
                column = int(wrong_S.argmax())
                self._check_ids(host, list(self.columns)[column], ids_SB[column])
        for name in self.lists:
            self._check_ids(host, name, host.bags[name][0])

    def _check_ids(self, host: HostBatch, feature: str, ids: Ids) -> None:
        num_rows = self.rows[feature]
        for id_ in (int(ids.min()), int(ids.max())) if len(ids) else ():
            if not 0 <= id_ < num_rows:
                raise RunError(
                    f"feature `{feature}`: id {id_} in batch {host.index} of epoch {host.epoch} is outside its table, "
                    f"which has rows 0 to {num_rows - 1}",
                    "the prepared data is not of this plan: delete it (`recplat data cache`) and run again",
                )
