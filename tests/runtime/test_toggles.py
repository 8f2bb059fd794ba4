"""What each toggle may not change: results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recplat.catalog.toggles.precision.impl import LossScale
from recplat.runtime.failures import RunError
from recplat.runtime.ranks import Ranks
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import whole_run

BASE = ("spec.train.epochs=3",)


def compare(
    pool: RankPool, folder: Path, sets: tuple[str, ...], world_size: int, toggles: dict[str, Any] | None = None
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], list[Any]]:
    """Weights without and with the toggle, and the metrics of both."""
    without, *_ = pool.run(whole_run, world_size=world_size, sets=BASE, folder=folder / "without")
    with_it, *_ = pool.run(
        whole_run, world_size=world_size, sets=(*BASE, *sets), folder=folder / "with", toggles=toggles
    )
    return without["weights"], with_it["weights"], [run["finished"].metrics["test"] for run in (without, with_it)]


@pytest.mark.parametrize("world_size", [1, 2])
@pytest.mark.parametrize("toggle", ["pipeline=sparse_dist", "dataloader=false", "dataloader={prefetch: 7}"])
def test_results_are_bitwise_the_same(rank_pool: RankPool, tmp_path: Path, toggle: str, world_size: int) -> None:
    without, with_it, metrics = compare(rank_pool, tmp_path, (f"spec.optimizations.{toggle}",), world_size)
    for name, weight in without.items():
        np.testing.assert_array_equal(with_it[name], weight, err_msg=name)
    assert metrics[0] == metrics[1]


@pytest.mark.parametrize("world_size", [1, 2])
def test_accumulated_pieces_equal_the_whole_batch(rank_pool: RankPool, tmp_path: Path, world_size: int) -> None:
    """Rows of the tiny job's last batch: 5, so that some pieces of it are empty."""
    without, with_it, metrics = compare(rank_pool, tmp_path, ("spec.optimizations.grad_accumulation=4",), world_size)
    for name, weight in without.items():
        np.testing.assert_allclose(with_it[name], weight, atol=1e-6, err_msg=name)
    assert metrics[0]["auc"] == pytest.approx(metrics[1]["auc"], abs=1e-4)


def test_accumulation_refuses_layers_with_batch_statistics(rank_pool: RankPool, tmp_path: Path) -> None:
    [message] = rank_pool.run(accumulate_with_batch_norm, folder=tmp_path)
    assert "statistics of a batch" in message
    assert "batch_norm: false" in message


def accumulate_with_batch_norm(ranks: Ranks, folder: Path) -> str:
    with pytest.raises(RunError) as caught:
        whole_run(ranks, ("spec.model.batch_norm=true",), folder, toggles={"grad_accumulation": {"steps": 4}})
    return f"{caught.value}; {caught.value.help}"


def test_compiled_results_agree_to_1e_4(rank_pool: RankPool, tmp_path: Path) -> None:
    without, with_it, metrics = compare(rank_pool, tmp_path, ("spec.optimizations.compile=true",), 1)
    for name, weight in without.items():
        np.testing.assert_allclose(with_it[name], weight, atol=1e-4, err_msg=name)
    assert metrics[0]["logloss"] == pytest.approx(metrics[1]["logloss"], abs=1e-4)


@pytest.mark.parametrize("dtype", ["bf16", "fp16"])
@pytest.mark.parametrize("world_size", [1, 2])
def test_half_precision_comes_close(rank_pool: RankPool, tmp_path: Path, dtype: str, world_size: int) -> None:
    toggles = {"precision": {"dtype": dtype}}
    without, with_it, metrics = compare(rank_pool, tmp_path, (), world_size, toggles)
    assert any((with_it[name] != weight).any() for name, weight in without.items())
    assert metrics[0]["logloss"] == pytest.approx(metrics[1]["logloss"], rel=1e-2)


def test_loss_scale_halves_after_an_overflow_and_doubles_after_a_quiet_time() -> None:
    scale = LossScale(scale=1024.0)
    scale.update(finite=False)
    assert (scale.scale, scale.good_steps) == (512.0, 0)
    for _ in range(LossScale.INTERVAL):
        scale.update(finite=True)
    assert (scale.scale, scale.good_steps) == (1024.0, 0)


def overflowing(ranks: Ranks, folder: Path) -> dict[str, Any]:
    """With a scale that no fp16 gradient survives, however often it is halved in this run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LossScale.__init__, "__defaults__", (2.0**90, 0))
        return whole_run(ranks, BASE, folder, toggles={"precision": {"dtype": "fp16"}})


def test_steps_that_overflow_change_nothing(rank_pool: RankPool, tmp_path: Path) -> None:
    for run in rank_pool.run(overflowing, world_size=2, folder=tmp_path):
        for name, weight in run["weights"].items():
            np.testing.assert_array_equal(weight, run["initial_weights"][name], err_msg=name)
