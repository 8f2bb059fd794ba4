"""However a run is ended, nothing of it goes on, and what is told of it is true."""

import os
import signal
import time

import pytest

from tests.end_to_end.command import recplat, wait_for
from tests.end_to_end.conftest import SPEC

#: A run that does not end by itself.
ENDLESS = [SPEC, "--set", "spec.resources.ranks_per_node=2", "--set", "spec.train.epochs=100000"]


@pytest.fixture
def endless(start):
    run = start(*ENDLESS)
    run.wait_until_training()
    assert len(run.processes()) >= 3  # torchrun and two ranks
    return run


def listed(project, run):
    """The run as `runs list` tells of it, and what else it said."""
    done = recplat(project, "runs", "list", "-o", "json")
    return next(each for each in done.json if each["run_id"] == run.run_id), done.err


def status_in_mlflow(client, listed_run):
    return client.get_run(listed_run["mlflow_run_id"]).info.status


def test_ctrl_c_ends_all_processes_within_five_seconds_and_marks_the_run(project, client, endless):
    endless.launcher.send_signal(signal.SIGINT)
    assert endless.wait_until_gone(seconds=10) < 5
    done = endless.finish()
    assert done.code == 130
    assert "interrupted" in done.err
    assert f"run {endless.run_id} is marked KILLED; `--resume` goes on from step " in done.err
    assert "Traceback" not in done.err
    told, _ = listed(project, endless)
    assert told["status"] == "KILLED"
    assert status_in_mlflow(client, told) == "KILLED"


def test_ctrl_c_before_the_first_step_leaves_no_process(project, start):
    run = start(*ENDLESS)
    wait_for(lambda: len(run.processes()) >= 3)
    run.launcher.send_signal(signal.SIGINT)
    assert run.wait_until_gone(seconds=10) < 5
    assert run.finish().code == 130
    assert listed(project, run)[0]["status"] == "KILLED"


def test_ranks_leave_when_their_launcher_is_killed_and_the_next_command_marks_the_run(project, client, endless):
    endless.launcher.kill()
    assert endless.wait_until_gone(seconds=10) < 5
    told, said = listed(project, endless)
    assert told["status"] == "KILLED"
    assert endless.run_id in said
    assert status_in_mlflow(client, told) == "KILLED"
    assert listed(project, endless)[1] == ""  # it is told once


def test_a_run_whose_processes_are_all_killed_is_marked_by_the_next_command(project, client, endless):
    endless.kill_all()
    endless.wait_until_gone(seconds=10)
    told, _ = listed(project, endless)
    assert told["status"] == "KILLED"
    assert status_in_mlflow(client, told) == "KILLED"


def test_a_killed_rank_ends_the_others_and_the_cause_is_shown(project, client, endless):
    start = time.monotonic()
    os.kill(endless.rank(1), signal.SIGKILL)
    endless.wait_until_gone(seconds=30)
    assert time.monotonic() - start < 15
    done = endless.finish()
    assert done.code == 1
    assert "error[rank-died]: rank 1 was ended by SIGKILL" in done.err
    assert "memory" in done.err  # the remedy
    told, _ = listed(project, endless)
    assert (told["status"], told["error"]) == ("FAILED", "rank 1 was ended by SIGKILL")
    assert status_in_mlflow(client, told) == "FAILED"
