"""Small jobs and rows for them, made without files of data.

Legend: B rows of a rank's batch.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from recplat.catalog import builtin_catalog
from recplat.data.batches import HostBatch
from recplat.data.order import rank_slice
from recplat.lang.shapes import Device
from recplat.lang.statistics import FeatureStatistics, PartStatistics, Statistics, TransformStatistics
from recplat.plan.compile import compile_plan
from recplat.plan.types import Plan
from recplat.spec import load_job

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: tiny}
spec:
  data:
    source: {path: rows.parquet}
    split: {by: random}
    label: {column: label}
  features:
    - {name: user, type: categorical, dim: 8, transform: {type: hash, buckets: 58}}
    - {name: item, type: categorical, dim: 8, transform: {type: hash, buckets: 35}}
    - {name: tags, type: categorical, dim: 8, transform: {type: hash, buckets: 9}, multivalent: true, pooling: mean}
    - {name: age, type: numeric}
    - {name: price, type: numeric}
  model: {type: deepfm, hidden_units: [16, 8]}
  train: {batch_size: 16, epochs: 2, seed: 7}
  evaluate: {batch_size: 32}
  optimizations: {precision: fp32, compile: false}
"""


def make_plan(
    *sets: str,
    world_size: int = 1,
    num_rows: Mapping[str, int] | None = None,
    data_parallel: tuple[str, ...] = (),
    spec: str = SPEC,
) -> Plan:
    """A plan of the tiny job.

    Args:
        sets: as for `recplat --set`, such as `spec.train.batch_size=8`.
        num_rows: rows by part, by default 100 train, 40 eval, 40 test.
        data_parallel: tables that are copied to every rank.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tiny.yaml"
        file.write_text(spec)
        loaded = load_job(file, sets=sets)
    device = Device(type="cpu", num_ranks=world_size, cpus_per_rank=1, has_native_bf16=True)
    job = loaded.job
    rows = num_rows or {"train": 100, "eval": 40, "test": 40}
    plain = {"num_values": 100, "num_nulls": 0, "max_length": 4, "mean_length": 1.0}
    statistics = Statistics(
        format=1,
        key="k",
        digest="d",
        files=(),
        parts={name: PartStatistics(num_rows=count, num_positive=0, weight=count) for name, count in rows.items()},
        features={
            feature.name: FeatureStatistics(
                transforms=tuple(TransformStatistics() for _ in feature.transforms()),
                **plain,
            )
            for feature in job.spec.features
        },
    )
    plan = compile_plan(job, statistics, device, builtin_catalog()).plan
    tables = tuple(_copied(table, world_size) if table.name in data_parallel else table for table in plan.tables)
    return msgspec.structs.replace(plan, tables=tables)


def _copied(table: Any, world_size: int) -> Any:
    options = builtin_catalog().options("sharding", "data_parallel")()
    shards = options.shards(num_rows=table.num_rows, num_columns=table.storage_dim, num_ranks=world_size, rank=0)
    return msgspec.structs.replace(table, sharding="data_parallel", kernel="dense", shards=shards)


@dataclass
class Rows:
    """Rows of a part as the reader would hold them."""

    dense: NDArray[np.float32] | None
    ids: NDArray[np.int32] | None
    bags: dict[str, list[list[int]]]
    labels: NDArray[np.float32]
    weights: NDArray[np.float32] | None = None
    groups: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    def take(self, indices: NDArray[np.int64]) -> "Rows":
        return Rows(
            dense=None if self.dense is None else self.dense[indices],
            ids=None if self.ids is None else self.ids[indices],
            bags={name: [lists[i] for i in indices] for name, lists in self.bags.items()},
            labels=self.labels[indices],
            weights=None if self.weights is None else self.weights[indices],
            groups={name: values[indices] for name, values in self.groups.items()},
        )


def random_rows(plan: Plan, count: int, seed: int, *, weighted: bool = False) -> Rows:
    """Rows with a label that depends on them; lists hold 0 to 3 ids."""
    random = np.random.default_rng(seed)
    tables = {table.name: table for table in plan.tables}
    bags = [feature for feature in plan.features if feature.gives == "bag"]
    columns = [random.integers(0, tables[b.table].num_rows, count) for b in bags if not b.is_list]
    lists = {
        b.name: [random.integers(0, tables[b.table].num_rows, random.integers(0, 4)).tolist() for _ in range(count)]
        for b in bags
        if b.is_list
    }
    dense = random.normal(size=(count, len(plan.model.inputs.dense))).astype(np.float32)
    score = dense.sum(axis=1) + sum((column % 3 for column in columns), np.zeros(count)) - 1
    return Rows(
        dense=dense,
        ids=np.stack(columns, axis=1).astype(np.int32) if columns else None,
        bags=lists,
        labels=(score + random.normal(size=count) > 0).astype(np.float32),
        weights=random.uniform(0, 2, count).astype(np.float32) if weighted else None,
    )


class ArraySource:
    """Batches from rows in memory, shuffled by (seed, epoch), sliced like the reader's."""

    def __init__(self, plan: Plan, rank: int, parts: Mapping[str, Rows]) -> None:
        self.plan = plan
        self.rank = rank
        self.parts = parts
        self.batch_size = plan.job.spec.train.batch_size
        self.steps_per_epoch = -(-len(parts["train"].labels) // self.batch_size)
        self.seen: list[int] = []  # training rows of this rank, in order

    def train(self, epoch: int, batch: int) -> Iterator[HostBatch]:
        rows = self.parts["train"]
        order = np.random.default_rng((self.plan.job.spec.train.seed, epoch)).permutation(len(rows.labels))
        for index in range(batch, self.steps_per_epoch):
            mine = self._slice(order[index * self.batch_size : (index + 1) * self.batch_size])
            self.seen.extend(mine.tolist())
            yield self._batch(rows, order[index * self.batch_size : (index + 1) * self.batch_size], epoch, index)

    def part(self, name: str) -> Iterator[HostBatch] | None:
        return self._part(self.parts[name]) if name in self.parts else None

    def _part(self, rows: Rows) -> Iterator[HostBatch]:
        size = self.plan.job.spec.evaluate.batch_size
        for index, start in enumerate(range(0, len(rows.labels), size)):
            yield self._batch(rows, np.arange(start, min(start + size, len(rows.labels))), 0, index)

    def _slice(self, indices: NDArray[np.int64]) -> NDArray[np.int64]:
        return indices[slice(*rank_slice(0, len(indices), self.rank, self.plan.device.num_ranks))]

    def _batch(self, rows: Rows, indices: NDArray[np.int64], epoch: int, index: int) -> HostBatch:
        mine, whole = rows.take(self._slice(indices)), rows.take(indices)
        return HostBatch(
            dense=mine.dense,
            ids=mine.ids,
            bags={
                name: (
                    np.array([i for row in lists for i in row], dtype=np.int32),
                    np.array([len(row) for row in lists], dtype=np.int32),
                )
                for name, lists in mine.bags.items()
            },
            labels=mine.labels,
            weights=mine.weights,
            groups=mine.groups,
            num_global_rows=len(indices),
            total_weight=float(len(indices)) if whole.weights is None else float(whole.weights.sum(dtype=np.float64)),
            epoch=epoch,
            index=index,
        )
