import msgspec
import pytest

from recplat.launch.result import check_gates, gates_words
from recplat.tracking.events import Finished


@pytest.fixture
def finished():
    metrics = {"eval": {"auc": 0.9}, "test": {"auc": 0.75, "ne": None}}
    return Finished(
        time=1.0, step=1, epoch=0, reason="epochs", num_rows=1, train_seconds=1.0, rows_per_second=1.0,
        loader_wait_fraction=0.0, best_step=1, metrics=metrics, versions={},
    )  # fmt: skip


def test_gates_are_about_the_test_part(finished):
    met, missed = check_gates(("auc >= 0.75", "auc > 0.75"), finished)
    assert (met.is_met, met.value) == (True, 0.75)
    assert not missed.is_met


def test_what_is_kept_of_gates_names_those_that_were_missed(finished):
    assert gates_words(check_gates(("auc >= 0.5", "auc >= 0.8", "ne < 1"), finished)) == (
        "missed: auc >= 0.8 (0.75), ne < 1 (undefined)"
    )
    assert gates_words(check_gates(("auc >= 0.5",), finished)) == "met"
    assert gates_words(()) is None


def test_an_undefined_metric_meets_no_gate(finished):
    assert [gate.is_met for gate in check_gates(("ne < 100", "unheard <= 1"), finished)] == [False, False]


def test_without_a_test_part_gates_are_about_the_evaluation(finished):
    without = msgspec.structs.replace(finished, metrics={"eval": {"auc": 0.9}})
    assert check_gates(("auc >= 0.8",), without)[0].is_met
