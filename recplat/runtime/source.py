"""Where a rank's batches come from: prepared data on disk."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from recplat.data.batches import HostBatch, batches, num_batches
from recplat.data.part_reader import PartReader
from recplat.data.prepared import Prepared
from recplat.plan.types import Plan
from recplat.runtime.ranks import Ranks


class Source(Protocol):
    """All ranks are given the same number of batches of the same global rows."""

    steps_per_epoch: int

    def train(self, epoch: int, batch: int) -> Iterator[HostBatch]:
        """Training batches of an epoch from global batch `batch` on."""
        ...

    def part(self, name: str) -> Iterator[HostBatch] | None:
        """All batches of `eval` or `test` in order; None where there is no such part."""
        ...


class PreparedSource:
    def __init__(self, folder: Path, plan: Plan, ranks: Ranks) -> None:
        self._folder = folder
        self._spec = plan.job.spec
        self._place: dict[str, Any] = {"rank": ranks.rank, "num_ranks": ranks.world_size}
        self._parts = msgspec.json.decode((folder / "prepared.json").read_bytes(), type=Prepared).parts
        self.steps_per_epoch = num_batches(self._parts["train"].num_rows, self._spec.train.batch_size)

    def train(self, epoch: int, batch: int) -> Iterator[HostBatch]:
        return batches(
            PartReader(self._folder, "train"),
            batch_size=self._spec.train.batch_size,
            seed=self._spec.train.seed,
            epoch=epoch,
            shuffle=self._spec.data.shuffle,
            window_rows=self._spec.data.window_rows,
            start_batch=batch,
            **self._place,
        )

    def part(self, name: str) -> Iterator[HostBatch] | None:
        if name not in self._parts:
            return None
        return batches(
            PartReader(self._folder, name),
            batch_size=self._spec.evaluate.batch_size,
            seed=0,
            epoch=0,
            shuffle=False,
            window_rows=self._spec.data.window_rows,
            **self._place,
        )
