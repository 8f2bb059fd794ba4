"""A part of one class or without rows: AUC is undefined, other metrics are there, all of it is strict JSON."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recplat.runtime.ranks import Ranks
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.jobs import make_plan, random_rows
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import run_training


def run(ranks: Ranks, folder: Path, label: float, num_rows: int) -> dict[str, Any]:
    plan = make_plan("spec.train.epochs=3", "spec.train.early_stop={patience: 2}", world_size=ranks.world_size)
    rows = random_rows(plan, num_rows, 1)
    rows.labels[:] = label
    return run_training(ranks, plan, {"train": random_rows(plan, 50, 0), "eval": rows, "test": rows}, folder)


@pytest.mark.parametrize(("label", "num_rows"), [(0.0, 20), (1.0, 20), (0.0, 0)])
def test_training_ends_well_without_a_best(
    rank_pool: RankPool,  # noqa: F811
    tmp_path: Path,
    label: float,
    num_rows: int,
) -> None:
    first, _ = rank_pool.run(run, world_size=2, folder=tmp_path, label=label, num_rows=num_rows)
    finished = first["finished"]
    assert finished.best_step is None
    assert finished.metrics["test"]["auc"] is None
    assert (finished.metrics["test"]["logloss"] is not None) == (num_rows > 0)
    assert finished.reason == "epochs"  # what is undefined does not use up patience
    notes = [event for event in first["events"] if event["type"] == "noted"]
    assert {note["code"] for note in notes} == {"metric-undefined"}
    assert any("auc" in note["message"] for note in notes)

    def refuse(constant: str) -> float:
        raise AssertionError(f"{constant} is no JSON")

    for line in (tmp_path / "events" / "rank-0.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=refuse)
    json.loads((tmp_path / "result.json").read_text(), parse_constant=refuse)
    assert all(np.isfinite(weight).all() for weight in first["weights"].values())
