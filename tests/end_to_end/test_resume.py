"""A run that was interrupted and resumed ends as one that never was."""

import signal

import pytest
import torch

from tests.end_to_end.checkpoints import last_checkpoint, read_checkpoint
from tests.end_to_end.command import Going, recplat, strict_json
from tests.end_to_end.conftest import SPEC, Run, apply

#: Long enough to be interrupted on its way: 13 steps an epoch. The gate can't be met.
LONG = [
    SPEC,
    "--set",
    "metadata.name=long",
    "--set",
    "spec.train.epochs=60",
    "--set",
    "spec.evaluate.gates=[auc >= 0.9999]",
]
NUM_STEPS = 13 * 60


@pytest.fixture(scope="module")
def unbroken(project):
    return apply(project, *LONG)


@pytest.fixture(scope="module")
def interrupted(project, client):
    """The step that it was interrupted at, and the run's folder, after which it was resumed."""
    going = Going(project, *LONG)
    try:
        going.wait_until_training(num_checkpoints=2)
        going.launcher.send_signal(signal.SIGINT)
        assert going.finish().code == 130
    finally:
        going.kill_all()
    return going.folder, int(last_checkpoint(going.folder).name.removeprefix("step-"))


@pytest.fixture(scope="module")
def resumed(project, interrupted, unbroken):
    folder, _ = interrupted
    return Run(folder, recplat(project, "apply", *LONG, "--resume"))


def test_it_goes_on_in_the_same_run_to_the_same_end(resumed, unbroken, interrupted):
    folder, step = interrupted
    assert 0 < step < NUM_STEPS
    assert resumed.done.code == unbroken.done.code == 3, resumed.done.err
    assert f"goes on from the checkpoint of step {step}" in resumed.done.err
    assert f"run {folder.name}  long  FINISHED" in resumed.done.out
    ours, theirs = resumed.read("result.json"), unbroken.read("result.json")
    for field in ("step", "epoch", "reason", "best_step", "metrics"):
        assert ours[field] == theirs[field], field


def test_weights_and_optimiser_state_are_bitwise_those_of_an_unbroken_run(resumed, unbroken):
    ours, theirs = (read_checkpoint(last_checkpoint(run.folder)) for run in (resumed, unbroken))
    assert last_checkpoint(resumed.folder).name == last_checkpoint(unbroken.folder).name == f"step-{NUM_STEPS:08d}"
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert torch.equal(tensor, theirs[name]), name


def test_mlflow_has_one_run_whose_metrics_go_on_in_step(resumed, client, interrupted):
    _, step = interrupted
    number = resumed.read("tracking.json")["mlflow_run_id"]
    found = client.get_run(number)
    assert found.info.status == "FINISHED"
    runs = client.search_runs([found.info.experiment_id], f"tags.`recplat.run_id` = '{resumed.run_id}'")
    assert [run.info.run_id for run in runs] == [number]
    evaluated = [metric.step for metric in client.get_metric_history(number, "eval/auc")]
    assert evaluated == list(range(13, NUM_STEPS + 1, 13))  # each once
    losses = [metric.step for metric in client.get_metric_history(number, "train/loss")]
    assert losses == sorted(set(losses))
    assert any(each > step for each in losses)


def test_rows_are_seen_as_often_as_without_the_interruption(interrupted, resumed, unbroken):
    folder, _ = interrupted
    manifests = [strict_json((last_checkpoint(run) / "manifest.json").read_text()) for run in (folder, unbroken.folder)]
    assert manifests[0]["state"] == manifests[1]["state"]


def test_a_missed_gate_is_exit_code_3_and_is_told_with_its_value(project, unbroken):
    assert unbroken.done.code == 3
    value = unbroken.read("result.json")["metrics"]["test"]["auc"]
    assert f"auc >= 0.9999: missed, {value:.6g}" in unbroken.done.out
    told = recplat(project, "runs", "show", unbroken.run_id, "-o", "json").json["record"]
    assert (told["status"], told["gates"]) == ("FINISHED", f"missed: auc >= 0.9999 ({value:.6g})")


def test_a_missed_gate_is_tagged_in_mlflow_and_the_run_has_finished(unbroken, client):
    found = client.get_run(unbroken.read("tracking.json")["mlflow_run_id"])
    assert found.info.status == "FINISHED"
    assert found.data.tags["recplat.gates"].startswith("missed: auc >= 0.9999 (0.")


def test_a_run_that_has_finished_is_not_resumed(project, resumed):
    again = recplat(project, "apply", *LONG, "--resume")
    assert again.code == 1
    assert "error[nothing-to-resume]" in again.err
