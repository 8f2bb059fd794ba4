import math

from recplat.tracking.events import Evaluated, Failed, Finished, Step
from recplat.tracking.metrics import metrics_of


def step(**fields: object) -> Step:
    given = {"time": 5.0, "step": 7, "epoch": 0, "loss": 0.5, "num_rows": 10, "rows_per_second": 100.0}
    rates = {"loader_wait_fraction": 0.1, "dense_learning_rate": 1e-3, "embedding_learning_rate": 1e-2}
    return Step(**(given | rates | {"memory_bytes": 1000} | fields))


def test_a_step_gives_the_public_names():
    named = {metric.name: metric for metric in metrics_of(step())}
    assert {"train/loss", "train/learning_rate_dense", "perf/samples_per_second", "perf/loader_wait_fraction"} <= set(
        named
    )
    assert (named["train/loss"].value, named["train/loss"].step, named["train/loss"].time) == (0.5, 7, 5.0)


def test_undefined_and_infinite_values_are_left_out():
    values = {"auc": None, "logloss": 0.4, "ne": math.nan}
    event = Evaluated(time=1.0, step=3, epoch=0, part="test", num_rows=5, seconds=1.0, metrics=values)
    assert [metric.name for metric in metrics_of(event)] == ["test/logloss", "perf/test_seconds"]
    assert "train/loss" not in [metric.name for metric in metrics_of(step(loss=math.inf))]


def test_the_best_evaluation_is_told_at_the_end():
    event = Finished(
        time=1.0, step=9, epoch=0, reason="epochs", num_rows=1, train_seconds=2.0, rows_per_second=3.0,
        loader_wait_fraction=0.0, best_step=6, metrics={"eval": {"auc": 0.8}, "test": {"auc": 0.7}}, versions={},
    )  # fmt: skip
    named = {metric.name: metric.value for metric in metrics_of(event)}
    assert (named["best/auc"], named["train/best_step"]) == (0.8, 6.0)


def test_a_run_that_had_nothing_left_to_train_has_no_speed():
    event = Finished(
        time=1.0, step=9, epoch=0, reason="epochs", num_rows=0, train_seconds=0.0, rows_per_second=0.0,
        loader_wait_fraction=0.0, best_step=6, metrics={"eval": {"auc": 0.8}}, versions={},
    )  # fmt: skip
    assert {metric.name for metric in metrics_of(event)} == {"best/auc", "train/best_step"}


def test_a_failure_measures_nothing():
    assert metrics_of(Failed(time=1.0, rank=0, step=3, error="", traceback="")) == ()
