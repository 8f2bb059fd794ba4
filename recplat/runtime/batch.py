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
    """Turns host batches into batches; knows the plan's features and the order of keys that TorchRec wants."""

    def __init__(self, plan: Plan, key_order: Sequence[str], world_size: int) -> None:
        """`key_order`: features in the order of the sharded tables, so that TorchRec needn't permute."""
        bags = [feature for feature in plan.features if feature.gives == "bag"]
        tables = {table.name: table for table in plan.tables}
        rows = {bag.name: tables[bag.table or ""].num_rows or 0 for bag in bags}
        self.keys = list(key_order)
        self.world_size = world_size
        self.columns = {bag.name: place for place, bag in enumerate(bag for bag in bags if not bag.is_list)}
        self.lists = [bag.name for bag in bags if bag.is_list]
        self.means = [bag.name for bag in bags if bag.is_list and bag.pooling == "mean"]
        self.rows = rows
        self.column_rows_S = np.array([rows[name] for name in self.columns], dtype=np.int64)
        # Rows of `ids` transposed, in key order.
        self.column_order = [self.columns[name] for name in self.keys if name in self.columns]

    def make(self, host: HostBatch) -> Batch:
        """The batch in host memory.

        Raises:
            ValueError: an id is outside its table.
        """
        num_rows = len(host.labels)
        dense = host.dense if host.dense is not None else np.empty((num_rows, 0), np.float32)
        return Batch(
            dense_BD=torch.from_numpy(dense),
            ids=self._ids(host, num_rows),
            counts_BM=self._counts(host, num_rows) if self.means else None,
            labels_B=torch.from_numpy(host.labels),
            weights_B=None if host.weights is None else torch.from_numpy(host.weights),
            num_global_rows=host.num_global_rows,
            total_weight=host.total_weight,
            epoch=host.epoch,
            index=host.index,
        )

    def _ids(self, host: HostBatch, num_rows: int) -> KeyedJaggedTensor:
        """One KeyedJaggedTensor over all keys, each padded to P rows."""
        self._check(host)
        if not self.keys:
            return KeyedJaggedTensor.empty()
        padded = max(-(-host.num_global_rows // self.world_size), 1)
        if not self.lists and num_rows == padded:
            return self._one_id_a_row(host, num_rows)
        values, lengths = [], []
        for name in self.keys:
            if name in self.columns:
                assert host.ids is not None
                values.append(host.ids[:, self.columns[name]])
                lengths.append(np.ones(num_rows, np.int32))
            else:
                values.append(host.bags[name][0])
                lengths.append(host.bags[name][1])
            lengths.append(np.zeros(padded - num_rows, np.int32))
        dtype = np.result_type(*values)
        return KeyedJaggedTensor(
            keys=self.keys,
            values=torch.from_numpy(np.concatenate(values).astype(dtype, copy=False)),
            lengths=torch.from_numpy(np.concatenate(lengths)),
            stride=padded,
            length_per_key=[len(part) for part in values],
        )

    def _one_id_a_row(self, host: HostBatch, num_rows: int) -> KeyedJaggedTensor:
        assert host.ids is not None
        num_ids = num_rows * len(self.keys)
        return KeyedJaggedTensor(
            keys=self.keys,
            values=torch.from_numpy(host.ids.T[self.column_order].reshape(-1)),
            lengths=torch.ones(num_ids, dtype=torch.int32),
            offsets=torch.arange(num_ids + 1, dtype=torch.int32),
            stride=num_rows,
            length_per_key=[num_rows] * len(self.keys),
        )

    def _counts(self, host: HostBatch, num_rows: int) -> torch.Tensor:
        counts_BM = np.stack([host.bags[name][1] for name in self.means], axis=1).astype(np.float32)
        return torch.from_numpy(np.maximum(counts_BM, 1, out=counts_BM))

    def _check(self, host: HostBatch) -> None:
        """The reader has checked ids already; TorchRec wouldn't notice one that slipped through."""
        if host.ids is not None and host.ids.size:
            low_S, high_S = host.ids.min(axis=0), host.ids.max(axis=0)
            if (low_S < 0).any() or (high_S >= self.column_rows_S).any():
                for name, column in self.columns.items():
                    _check_ids(name, host.ids[:, column], self.rows[name])
        for name in self.lists:
            _check_ids(name, host.bags[name][0], self.rows[name])


def _check_ids(feature: str, ids: Ids, num_rows: int) -> None:
    if not len(ids):
        return
    for id_ in (int(ids.min()), int(ids.max())):
        if not 0 <= id_ < num_rows:
            raise ValueError(f"feature `{feature}`: id {id_} is outside its table, which has rows 0 to {num_rows - 1}")
