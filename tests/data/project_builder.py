"""A small project: data files, a spec over them, and what the data layer makes of both."""

from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recplat.data import compute_statistics, ensure_statistics, prepare
from recplat.data.batches import HostBatch, batches
from recplat.data.part_reader import PartReader
from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.statistics import Statistics
from recplat.spec import LoadedJob, load_job

TRAIN_ALL = {"by": "column", "column": "part", "train": ["a"], "eval": ["b"], "test": ["c"]}


class Project:
    def __init__(self, root: Path) -> None:
        self.root = root
        (root / ".recplat").mkdir(exist_ok=True)
        self.data: dict[str, Any] = {
            "source": {"path": "rows.parquet"},
            "split": TRAIN_ALL,
            "label": {"column": "label"},
        }
        self.features: list[dict[str, Any]] = []

    def parquet(self, name: str = "rows.parquet", **columns: Any) -> None:
        """Rows that all train, with labels 0 and 1 in turn, where `part` and `label` are not among the columns."""
        num_rows = len(next(iter(columns.values())))
        columns = {"part": ["a"] * num_rows, "label": [row % 2 for row in range(num_rows)]} | columns
        pq.write_table(pa.table(columns), self.root / name)

    def text(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8", newline="")
        self.data["source"] = {"path": name}

    def load(self, **spec: Any) -> LoadedJob:
        document = {
            "apiVersion": "recplat.io/v1alpha1",
            "kind": "TrainingJob",
            "metadata": {"name": "tiny"},
            "spec": {
                "data": self.data,
                "features": self.features,
                "model": {"type": "logistic_regression"},
                **spec,
            },
        }
        path = self.root / "tiny.yaml"
        path.write_bytes(msgspec.yaml.encode(document))
        return load_job(path)

    def statistics(self, **spec: Any) -> Statistics:
        loaded = self.load(**spec)
        return ensure_statistics(loaded.job, loaded.catalog, loaded.root)

    def prepare(self, **spec: Any) -> Path:
        """Rows of one class will do here, though not for training."""
        loaded = self.load(**spec)
        statistics = compute_statistics(loaded.job, loaded.catalog, loaded.root)
        return prepare(loaded.job, loaded.catalog, statistics, loaded.root)

    def rows(self, part: str = "train", **spec: Any) -> HostBatch:
        """All rows of a part in the order of the source, as one batch."""
        reader = PartReader(self.prepare(**spec), part)
        [batch] = batches(reader, batch_size=2**20, rank=0, num_ranks=1, seed=0, epoch=0, shuffle=False, window_rows=1)
        return batch

    def problem(self, **spec: Any) -> Diagnostic:
        """The one fault that measuring and preparing the data end with."""
        with pytest.raises(Problems) as raised:
            self._measure_and_prepare(spec)
        [diagnostic] = raised.value.diagnostics
        return diagnostic

    def _measure_and_prepare(self, spec: dict[str, Any]) -> None:
        self.statistics(**spec)
        self.prepare(**spec)
