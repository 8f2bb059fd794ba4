"""Which evaluation is the best, when training ends early, which checkpoints may go. Pure."""

import msgspec

from recplat.spec.types import EarlyStop
from recplat.tracking.checkpoints import Best, TrainState


def judge(
    state: TrainState,
    metrics: dict[str, float | None],
    name: str,
    higher_is_better: bool,
    early_stop: EarlyStop | None,
) -> TrainState:
    """The state after an evaluation. A metric that is undefined or not finite is never the best, nor counts as worse.

    Args:
        name: `evaluate.best`.
        early_stop: its `min_delta` is the least change that resets the patience; any change makes a new best.
    """
    value = metrics.get(name)
    best = state.best
    gain = _gain(value, best, higher_is_better)
    enough = gain is not None and gain > (early_stop.min_delta if early_stop else 0.0)
    waited = state.evaluations_without_better + int(gain is not None)
    if gain is not None and gain > 0:
        assert value is not None
        best = Best(step=state.step, value=value, metrics=metrics)
    return msgspec.structs.replace(
        state,
        best=best,
        evaluated_step=state.step,
        evaluations_without_better=0 if enough else waited,
    )


def is_out_of_patience(state: TrainState, early_stop: EarlyStop | None) -> bool:
    return early_stop is not None and state.evaluations_without_better >= early_stop.patience


def superfluous(steps: list[int], keep: int, best: int | None) -> list[int]:
    """Steps whose checkpoints may go: all but the newest `keep`, and never the best."""
    return [step for step in sorted(steps)[:-keep] if step != best]


def _gain(value: float | None, best: Best | None, higher_is_better: bool) -> float | None:
    """How much better `value` is than the best so far; infinite for the first, None if it can't be compared."""
    if value is None or value != value or value in (float("inf"), float("-inf")):
        return None
    if best is None:
        return float("inf")
    return value - best.value if higher_is_better else best.value - value
