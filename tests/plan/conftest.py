"""A small job, changed by `--set`, compiled for a made-up device and made-up statistics."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recplat.lang.shapes import Device
from recplat.lang.statistics import (
    FeatureStatistics,
    PartStatistics,
    Statistics,
    TransformStatistics,
    Vocabulary,
)
from recplat.plan import Compiled, compile_plan
from recplat.spec import LoadedJob, load_job

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
    - {name: user_id, type: categorical, dim: 8}
    - {name: item_id, type: categorical, dim: 8, transform: {type: hash, buckets: 998}}
    - {name: age, type: numeric}
  model: {type: deepfm}
"""

CPU = Device(type="cpu", num_ranks=1, cpus_per_rank=2, has_native_bf16=False)


def cpu(num_ranks: int) -> Device:
    return Device(type="cpu", num_ranks=num_ranks, cpus_per_rank=1, has_native_bf16=False)


def statistics(num_users: int, num_rows: int = 1000) -> Statistics:
    vocabulary = Vocabulary(num_values=num_users, digest="0" * 32, file="user_id.arrow")
    plain = {"num_values": num_rows, "num_nulls": 0, "max_length": 1, "mean_length": 1.0}
    return Statistics(
        format=1,
        key="k",
        digest="d",
        files=(),
        parts={
            part: PartStatistics(num_rows=rows, num_positive=rows // 2, weight=float(rows))
            for part, rows in (("train", num_rows), ("eval", 100), ("test", 100))
        },
        features={
            "user_id": FeatureStatistics(transforms=(TransformStatistics(vocabulary=vocabulary),), **plain),
            "item_id": FeatureStatistics(transforms=(TransformStatistics(),), **plain),
            "age": FeatureStatistics(transforms=(), **plain),
        },
    )


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., LoadedJob]:
    """The tiny spec with settings such as `spec.train.epochs=3`."""

    def loaded(*sets: str) -> LoadedJob:
        file = tmp_path / "tiny.yaml"
        file.write_text(SPEC)
        return load_job(file, sets=sets)

    return loaded


@pytest.fixture
def compiled(load: Callable[..., LoadedJob]) -> Callable[..., Compiled]:
    """The tiny spec's plan; without `num_users` there is no statistics lock."""

    def plan(
        *sets: str, device: Device = CPU, num_users: int | None = 500, memory_per_rank: int | None = None
    ) -> Compiled:
        job = load(*sets)
        lock = statistics(num_users) if num_users is not None else None
        return compile_plan(job.job, lock, device, job.catalog, memory_per_rank=memory_per_rank)

    return plan
