"""The schedule moves dense and embedding rates alike, and at rate 0 no row changes; after a resumption too."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recplat.runtime import meter
from recplat.runtime.ranks import Ranks
from tests.runtime.conftest import rank_pool  # noqa: F401
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import whole_run

OPTIMIZERS = ["sgd", "adagrad", "row_wise_adagrad", "adam"]
STOPS = "spec.train.schedule={type: step, milestones: [10], decay: 0}"


def run(ranks: Ranks, sets: tuple[str, ...], folder: Path, resume_from: Path | None = None) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meter, "PERIOD_S", 0.0)  # a Step event for each step
        return whole_run(ranks, sets, folder, resume_from=resume_from)


def rates(result: dict[str, Any]) -> list[tuple[int, float, float]]:
    return [
        (event["step"], event["dense_learning_rate"], event["embedding_learning_rate"])
        for event in result["events"]
        if event["type"] == "step"
    ]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_first_step_of_a_warmup_from_0_changes_nothing(
    rank_pool: RankPool,  # noqa: F811
    tmp_path: Path,
    optimizer: str,
) -> None:
    sets = (
        f"spec.train.embedding_optimizer={optimizer}",
        "spec.train.schedule={type: linear_warmup, steps: 5, start_factor: 0}",
        "spec.train.max_steps=1",
    )
    for result in rank_pool.run(run, world_size=2, sets=sets, folder=tmp_path):
        for name, weight in result["initial_weights"].items():
            np.testing.assert_array_equal(result["weights"][name], weight, err_msg=name)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_after_a_schedule_to_0_no_row_changes_also_when_resumed(
    rank_pool: RankPool,  # noqa: F811
    tmp_path: Path,
    optimizer: str,
) -> None:
    sets = (f"spec.train.embedding_optimizer={optimizer}", STOPS)
    [ten] = rank_pool.run(run, sets=(*sets, "spec.train.max_steps=10"), folder=tmp_path / "ten")
    [whole] = rank_pool.run(run, sets=sets, folder=tmp_path / "whole")
    checkpoint = tmp_path / "ten" / "checkpoints" / "step-00000010"
    [resumed] = rank_pool.run(run, sets=sets, folder=tmp_path / "resumed", resume_from=checkpoint)
    for name, weight in ten["weights"].items():
        assert (ten["initial_weights"][name] != weight).any(), f"{name} never moved"
        np.testing.assert_array_equal(whole["weights"][name], weight, err_msg=name)
        np.testing.assert_array_equal(resumed["weights"][name], weight, err_msg=name)
    assert rates(resumed)[0] == (11, 0.0, 0.0)


def test_both_rates_are_told_and_have_the_same_factor(rank_pool: RankPool, tmp_path: Path) -> None:  # noqa: F811
    sets = (
        "spec.train.dense_optimizer={type: sgd, learning_rate: 0.1}",
        "spec.train.embedding_optimizer={type: sgd, learning_rate: 0.1}",
        "spec.train.schedule={type: linear_warmup, steps: 5}",
    )
    [result] = rank_pool.run(run, sets=sets, folder=tmp_path)
    assert [step for step, _, _ in rates(result)] == list(range(1, 15))
    expected = [0.1 * min(step / 5, 1) for step in range(14)]
    assert [dense for _, dense, _ in rates(result)] == pytest.approx(expected)
    assert [embedding for _, _, embedding in rates(result)] == pytest.approx(expected)
