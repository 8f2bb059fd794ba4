"""Runs from the first step to the result: events, metrics, checkpoints, ends."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recplat.runtime import meter
from recplat.runtime.ranks import Ranks
from recplat.tracking.checkpoints import complete_checkpoints, read_manifest
from tests.runtime.rank_pool import RankPool
from tests.runtime.training import whole_run


def of_type(result: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [event for event in result["events"] if event["type"] == name]


def test_one_and_two_ranks_read_each_row_once_an_epoch_and_reach_the_same(rank_pool: RankPool, tmp_path: Path) -> None:
    sets = ("spec.train.epochs=3",)
    [one] = rank_pool.run(whole_run, sets=sets, folder=tmp_path / "one")
    two, other = rank_pool.run(whole_run, world_size=2, sets=sets, folder=tmp_path / "two")
    assert sorted(one["seen"]) == sorted(list(range(101)) * 3)
    assert sorted(two["seen"] + other["seen"]) == sorted(list(range(101)) * 3)
    for name, weight in one["weights"].items():
        np.testing.assert_allclose(two["weights"][name], weight, atol=1e-5, err_msg=name)
    assert two["finished"].metrics == other["finished"].metrics
    for part in ("eval", "test"):
        for name, value in one["finished"].metrics[part].items():
            assert two["finished"].metrics[part][name] == pytest.approx(value, abs=1e-4), (part, name)
    assert one["finished"].num_rows == two["finished"].num_rows == 303
    assert one["finished"].metrics["test"]["auc"] > 0.5


def test_events_tell_the_story(rank_pool: RankPool, tmp_path: Path) -> None:
    first, second = rank_pool.run(whole_run, world_size=2, sets=(), folder=tmp_path)
    assert second["events"] == []
    steps = of_type(first, "step")
    assert (steps[-1]["step"], steps[-1]["epoch"], steps[-1]["num_rows"]) == (14, 1, 202)
    assert len({step["step"] for step in steps}) == len(steps)
    assert all(0.2 < step["loss"] < 1.5 for step in steps)
    assert [(event["part"], event["step"]) for event in of_type(first, "evaluated")] == [
        ("eval", 7),
        ("eval", 14),
        ("test", 14),
    ]
    assert [event["num_rows"] for event in of_type(first, "evaluated")] == [43, 43, 50]
    assert all(len(points) <= 200 for event in of_type(first, "curves") for points in event["curves"].values())
    [finished] = of_type(first, "finished")
    assert first["events"][-1] == finished
    assert (finished["reason"], finished["step"], finished["epoch"]) == ("epochs", 14, 1)
    assert finished["versions"]["torchrec"]
    assert json.loads((tmp_path / "result.json").read_text())["metrics"] == finished["metrics"]


def test_training_ends_at_max_steps_within_an_epoch(rank_pool: RankPool, tmp_path: Path) -> None:
    [run] = rank_pool.run(whole_run, sets=("spec.train.max_steps=10",), folder=tmp_path)
    assert (run["finished"].reason, run["finished"].step, run["finished"].epoch) == ("max_steps", 10, 1)
    assert [event["step"] for event in of_type(run, "evaluated")] == [7, 10, 10]
    assert [event["step"] for event in of_type(run, "checkpointed")] == [7, 10]


def test_evaluation_and_checkpoints_come_at_their_own_steps(rank_pool: RankPool, tmp_path: Path) -> None:
    sets = ("spec.evaluate.every_steps=4", "spec.train.checkpoint.every_steps=5", "spec.train.checkpoint.keep=1")
    [run] = rank_pool.run(whole_run, sets=sets, folder=tmp_path)
    evaluations = [event for event in of_type(run, "evaluated") if event["part"] == "eval"]
    assert [event["step"] for event in evaluations] == [4, 8, 12, 14]
    best = run["finished"].best_step
    kept = {int(folder.name.removeprefix("step-")) for folder in complete_checkpoints(tmp_path / "checkpoints")}
    assert kept == {best, 14}
    assert {5, 10, best, 14} <= {event["step"] for event in of_type(run, "checkpointed")}


def test_the_best_weights_are_tested(rank_pool: RankPool, tmp_path: Path) -> None:
    """A rate that only does harm makes the first evaluation the best."""
    sets = ("spec.train.embedding_optimizer={type: sgd, learning_rate: 30}", "spec.train.epochs=4")
    [run] = rank_pool.run(whole_run, sets=sets, folder=tmp_path)
    evaluations = [event for event in of_type(run, "evaluated") if event["part"] == "eval"]
    aucs = [event["metrics"]["auc"] for event in evaluations]
    assert run["finished"].best_step == evaluations[int(np.argmax(aucs))]["step"]
    assert run["finished"].metrics["eval"]["auc"] == max(aucs)
    if run["finished"].best_step != 28:
        moved = [name for name, weight in run["weights"].items() if (weight != run["final_weights"][name]).any()]
        assert "tables/user" in moved
    assert np.argmax(aucs) < 3, "the job was meant to get worse"


def test_early_stop_ends_after_its_patience(rank_pool: RankPool, tmp_path: Path) -> None:
    sets = (
        "spec.train.early_stop={patience: 2, min_delta: 0.9}",
        "spec.train.epochs=9",
    )
    one, other = rank_pool.run(whole_run, world_size=2, sets=sets, folder=tmp_path)
    # No gain of AUC can be 0.9, so only the first evaluation counts as better.
    assert (one["finished"].reason, one["finished"].step) == ("early_stop", 21)
    assert other["finished"].step == 21


def interrupted_and_resumed(ranks: Ranks, sets: tuple[str, ...], folder: Path) -> tuple[Any, Any]:
    """The run is stopped in the middle of its second epoch and goes on from the checkpoint that it leaves."""
    sets = (*sets, "spec.optimizations.dataloader=false")  # what is read ahead would stop it early
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meter, "PERIOD_S", 0.0)  # ranks meet after each step, so that the stop comes at once
        broken = whole_run(ranks, sets, folder / "broken", interrupt=(ranks.world_size - 1, 1, 2))
    [*_, newest] = complete_checkpoints(folder / "broken" / "checkpoints")
    return broken, whole_run(ranks, sets, folder / "broken", resume_from=newest)


DROPOUT = (
    "spec.model.dropout=0.3",
    "spec.train.schedule={type: cosine, warmup_steps: 3}",
    "spec.train.epochs=3",
    "spec.train.early_stop={patience: 3}",
)


@pytest.mark.parametrize("optimizer", ["row_wise_adagrad", "adagrad", "adam", "sgd"])
def test_an_interrupted_run_is_resumed_bit_for_bit(rank_pool: RankPool, tmp_path: Path, optimizer: str) -> None:
    dense = {"sgd": "{type: sgd, momentum: 0.9}", "adagrad": "adagrad"}.get(optimizer, "adam")
    sets = (*DROPOUT, f"spec.train.embedding_optimizer={optimizer}", f"spec.train.dense_optimizer={dense}")
    [unbroken] = rank_pool.run(whole_run, sets=sets, folder=tmp_path / "unbroken")
    [(broken, resumed)] = rank_pool.run(interrupted_and_resumed, sets=sets, folder=tmp_path)
    assert broken["finished"].reason == "stopped"
    assert broken["finished"].step == 10
    assert resumed["finished"].step == unbroken["finished"].step == 21
    for name, weight in unbroken["weights"].items():
        np.testing.assert_array_equal(resumed["weights"][name], weight, err_msg=name)
    assert resumed["finished"].metrics == unbroken["finished"].metrics
    assert resumed["finished"].best_step == unbroken["finished"].best_step


def test_ranks_stop_at_the_same_step_when_one_is_asked_to(rank_pool: RankPool, tmp_path: Path) -> None:
    (broken, resumed), (other, _) = rank_pool.run(interrupted_and_resumed, world_size=2, sets=DROPOUT, folder=tmp_path)
    assert broken["finished"].reason == other["finished"].reason == "stopped"
    assert 9 <= broken["finished"].step == other["finished"].step <= 11
    assert resumed["finished"].step == 21


@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 1)])
@pytest.mark.parametrize("optimizer", ["row_wise_adagrad", "adam"])
def test_a_checkpoint_is_resumed_at_another_number_of_ranks(
    rank_pool: RankPool, tmp_path: Path, before: int, after: int, optimizer: str
) -> None:
    sets = ("spec.train.epochs=3", f"spec.train.embedding_optimizer={optimizer}")
    unbroken, *_ = rank_pool.run(whole_run, world_size=after, sets=sets, folder=tmp_path / "unbroken")
    rank_pool.run(whole_run, world_size=before, sets=(*sets, "spec.train.max_steps=10"), folder=tmp_path / "broken")
    checkpoint = tmp_path / "broken" / "checkpoints" / "step-00000010"
    resumed, *_ = rank_pool.run(
        whole_run, world_size=after, sets=sets, folder=tmp_path / "resumed", resume_from=checkpoint
    )
    assert resumed["finished"].step == 21
    for name, weight in unbroken["weights"].items():
        np.testing.assert_allclose(resumed["weights"][name], weight, atol=2e-6, err_msg=name)


def test_manifest_says_what_a_checkpoint_belongs_to(rank_pool: RankPool, tmp_path: Path) -> None:
    rank_pool.run(whole_run, sets=("spec.train.max_steps=10",), folder=tmp_path)
    manifest = read_manifest(tmp_path / "checkpoints" / "step-00000010")
    assert manifest is not None
    assert (manifest.run_id, manifest.state.step, manifest.state.epoch, manifest.state.batch) == ("run", 10, 1, 3)
    assert manifest.table_optimizers["user"] == "row_wise_adagrad"
    assert manifest.state.num_rows == 101 + 48


def diverging(ranks: Ranks, folder: Path) -> None:
    whole_run(ranks, ("spec.train.dense_optimizer={type: sgd, learning_rate: 1e30}",), folder)


def test_a_loss_that_is_not_finite_ends_the_run_with_step_and_rates(rank_pool: RankPool, tmp_path: Path) -> None:
    [message] = rank_pool.run(error_of, function=diverging, folder=tmp_path)
    assert "the loss is nan at step" in message or "the loss is inf at step" in message
    assert "1e+30" in message
    assert "clip_grad_norm" in message


def error_of(ranks: Ranks, function: Any, folder: Path) -> str:
    from recplat.runtime.failures import RunError

    with pytest.raises(RunError) as caught:
        function(ranks, folder)
    return f"{caught.value}; {caught.value.help}"


def other_optimizer(ranks: Ranks, folder: Path) -> None:
    whole_run(ranks, ("spec.train.max_steps=3",), folder)
    sets = ("spec.train.embedding_optimizer=adagrad",)
    whole_run(ranks, sets, folder / "other", resume_from=folder / "checkpoints" / "step-00000003")


def other_width(ranks: Ranks, folder: Path) -> None:
    whole_run(ranks, ("spec.train.max_steps=3",), folder)
    sets = ("spec.model.hidden_units=[16, 9]",)
    whole_run(ranks, sets, folder / "other", resume_from=folder / "checkpoints" / "step-00000003")


def more_layers(ranks: Ranks, folder: Path) -> None:
    whole_run(ranks, ("spec.train.max_steps=3",), folder)
    sets = ("spec.model.hidden_units=[16, 8, 8]",)
    whole_run(ranks, sets, folder / "other", resume_from=folder / "checkpoints" / "step-00000003")


@pytest.mark.parametrize(
    ("function", "said"),
    [(other_optimizer, "row_wise_adagrad"), (other_width, "does not fit"), (more_layers, "it lacks `dense/")],
)
def test_a_checkpoint_of_another_model_is_refused(
    rank_pool: RankPool, tmp_path: Path, function: Any, said: str
) -> None:
    [message] = rank_pool.run(error_of, function=function, folder=tmp_path)
    assert said in message
    assert "start anew" in message


def test_a_finished_run_that_is_resumed_with_fewer_steps_trains_no_more(rank_pool: RankPool, tmp_path: Path) -> None:
    [whole] = rank_pool.run(whole_run, sets=(), folder=tmp_path)
    [again] = rank_pool.run(
        whole_run,
        sets=("spec.train.max_steps=9",),
        folder=tmp_path / "again",
        resume_from=tmp_path / "checkpoints" / "step-00000014",
    )
    assert (again["finished"].step, again["finished"].num_rows) == (14, 0)
    assert again["finished"].metrics == whole["finished"].metrics
