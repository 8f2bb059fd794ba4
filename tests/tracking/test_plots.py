import pytest

from recplat.tracking.events import Step
from recplat.tracking.plots import smooth


def steps(*pairs: tuple[int, float]) -> list[Step]:
    return [
        Step(
            time=1.0, step=step, epoch=0, loss=loss, num_rows=1, rows_per_second=1.0, loader_wait_fraction=0.0,
            dense_learning_rate=0.1, embedding_learning_rate=0.1, memory_bytes=1,
        )
        for step, loss in pairs
    ]  # fmt: skip


def test_a_loss_that_does_not_change_stays_as_it_is():
    assert smooth(steps((1, 0.5), (2, 0.5), (90, 0.5))) == pytest.approx([0.5, 0.5, 0.5])


def test_few_events_are_hardly_smoothed():
    assert smooth(steps((1, 0.7), (100, 0.6), (200, 0.5))) == pytest.approx([0.7, 0.6, 0.5], abs=1e-3)


def test_many_events_are():
    noisy = smooth(steps(*((step, 0.5 + 0.1 * (-1) ** step) for step in range(1, 1001))))
    assert max(noisy[500:]) - min(noisy[500:]) < 0.02


def test_an_event_of_one_step_counts_for_one_step():
    *_, last = smooth(steps((1, 0.5), (500, 0.5), (1000, 0.5), (1001, 1.5)))
    assert last == pytest.approx(0.5, abs=0.06)
