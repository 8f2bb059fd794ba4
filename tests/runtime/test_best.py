"""Which evaluation is best, when patience ends, which checkpoints go."""

import math

import pytest

from recplat.runtime.best import is_out_of_patience, judge, superfluous
from recplat.spec.types import EarlyStop
from recplat.tracking.checkpoints import TrainState


def after(values: list[float | None], *, higher: bool = True, early_stop: EarlyStop | None = None) -> TrainState:
    """The state after these evaluations at steps 1, 2, …"""
    state = TrainState()
    for step, value in enumerate(values, start=1):
        moved = TrainState(step=step, best=state.best, evaluations_without_better=state.evaluations_without_better)
        state = judge(moved, {"m": value}, "m", higher, early_stop)
    return state


@pytest.mark.parametrize(
    ("values", "higher", "best"),
    [
        ([0.5, 0.7, 0.6], True, 2),
        ([0.5, 0.7, 0.4], False, 3),
        ([0.5, 0.5], True, 1),
        ([None, 0.5, math.nan, math.inf], True, 2),
        ([None, -math.inf, 0.5], False, 3),
        ([None, None], True, None),
    ],
)
def test_the_best_step(values: list[float | None], higher: bool, best: int | None) -> None:
    state = after(values, higher=higher)
    assert (state.best.step if state.best else None) == best


def test_patience_counts_evaluations_without_a_gain_of_min_delta() -> None:
    early_stop = EarlyStop(patience=2, min_delta=0.1)
    assert not is_out_of_patience(after([0.5, 0.55], early_stop=early_stop), early_stop)
    ended = after([0.5, 0.55, 0.58], early_stop=early_stop)
    assert is_out_of_patience(ended, early_stop)
    assert ended.best is not None
    assert ended.best.step == 3  # better all the same, so it is the one that is kept and tested
    assert not is_out_of_patience(after([0.5, 0.55, 0.66], early_stop=early_stop), early_stop)
    assert not is_out_of_patience(after([0.5] * 9), None)


@pytest.mark.parametrize(
    ("steps", "keep", "best", "gone"),
    [
        ([1, 2, 3], 2, None, [1]),
        ([1, 2, 3], 2, 1, []),
        ([3, 1, 2], 1, 3, [1, 2]),
        ([1, 2, 3, 4], 1, 2, [1, 3]),
        ([5], 1, None, []),
        ([], 1, 7, []),
    ],
)
def test_the_newest_and_the_best_stay(steps: list[int], keep: int, best: int | None, gone: list[int]) -> None:
    assert superfluous(steps, keep, best) == gone


def test_an_undefined_metric_does_not_use_up_patience() -> None:
    early_stop = EarlyStop(patience=2)
    assert not is_out_of_patience(after([None, None, None], early_stop=early_stop), early_stop)
    assert is_out_of_patience(after([0.5, None, 0.4, 0.3], early_stop=early_stop), early_stop)
