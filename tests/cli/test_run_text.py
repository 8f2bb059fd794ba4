import msgspec
import pytest

from recplat.cli._run_text import result_text
from recplat.launch import Result


@pytest.fixture
def result():
    return Result(
        run_id="20261130-1", name="tiny", folder="/runs/1", reason="epochs", steps=40, best_step=20, metrics={},
        gates=(), num_rows=1280, samples_per_second=52_300.0, loader_wait_fraction=0.03, train_seconds=2.0,
        seconds=20.0, num_ranks=1, device="cpu", tracking_uri=None, mlflow_run_id=None, versions={},
    )  # fmt: skip


def test_speed_steps_and_time_are_shown(result):
    shown = result_text(result, color=False)
    for line in ("samples/s    52,300", "steps        40 (epochs), best at step 20", "loader wait  3.0%"):
        assert line in shown
    assert "20.0s, of which training 2.0s" in shown


def test_a_run_that_had_nothing_left_to_train_says_so_in_place_of_a_speed(result):
    idle = msgspec.structs.replace(result, num_rows=0, samples_per_second=0.0, train_seconds=0.0)
    shown = result_text(idle, color=False)
    assert "samples/s" not in shown
    assert "loader wait" not in shown
    assert "20.0s, no step was left to train" in shown
