"""Whole runs under the real torchrun, with ranks that are played."""

import io
import json
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from recplat.diagnostics import Problems
from recplat.launch.failure import RunFailed
from recplat.launch.interrupt import Interrupted
from recplat.launch.lines import Lines
from recplat.launch.result import Result
from recplat.launch.run import _open, run
from recplat.runtime.events import EventWriter
from recplat.spec import load_job
from recplat.tracking.events import Evaluated
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.mlflow_tracker import MlflowTracker
from recplat.tracking.processes import processes_of
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import read_state
from recplat.tracking.runs import run_folders
from recplat.tracking.tracker import NullTracker


def play(monkeypatch, what: str, *sets: str, resume: str | None = None) -> Result:
    monkeypatch.setenv("RECPLAT_PLAYED", what)
    return follow_to_its_end(*sets, resume=resume)


def follow_to_its_end(*sets: str, resume: str | None = None, module: str = "played_rank") -> Result:
    with Path("progress.txt").open("a") as stream:
        return run(load_job("tiny.yaml", (), sets), Lines(stream), resume=resume, module=module)


def newest(project: Path) -> RunFolder:
    return run_folders(project)[0]


def mlflow_status(project: Path, folder: RunFolder) -> str:
    place = read_place(folder)
    query = "select status from runs where run_uuid = ?"
    with sqlite3.connect(project / ".recplat" / "mlflow.db") as store:
        return store.execute(query, (place.mlflow_run_id,)).fetchone()[0]


def test_a_run_gives_the_same_result_keys_at_one_and_two_ranks(project, monkeypatch):
    two = play(monkeypatch, "fine")
    one = play(monkeypatch, "fine", "spec.resources.ranks_per_node=1")
    assert (two.num_ranks, one.num_ranks) == (2, 1)
    assert two.metrics == one.metrics == {part: {"auc": 0.75, "logloss": 0.5, "ne": None} for part in ("eval", "test")}
    results = [json.loads(folder.result.read_text()) for folder in run_folders(project)]
    assert results[0].keys() == results[1].keys()
    assert results[0]["metrics"]["test"]["ne"] is None

    folder = newest(project)
    state = read_state(folder)
    assert (state.status, state.error, state.attempt) == ("FINISHED", None, 1)
    assert mlflow_status(project, folder) == "FINISHED"
    assert {path.name for path in folder.plots.iterdir()} == {"loss.png", "metrics.png", "roc.png", "calibration.png"}
    assert (folder.spec / "tiny.yaml").read_text() == Path("tiny.yaml").read_text()
    assert not list(processes_of(folder.path))
    assert "undefined, so not recorded: eval/ne" in Path("progress.txt").read_text()


def test_the_first_cause_over_all_ranks_is_told(project, monkeypatch):
    with pytest.raises(RunFailed) as failed:
        play(monkeypatch, "raise")
    [problem] = failed.value.diagnostics
    assert problem.code == "rank-failed"
    assert problem.message == "rank 1 failed at step 3: ValueError: no such row"
    assert str(newest(project).logs / "rank-1.log") in problem.help
    assert failed.value.traceback == "Traceback: rank 1 in detail"
    assert read_state(newest(project)).status == "FAILED"
    assert mlflow_status(project, newest(project)) == "FAILED"


def test_a_rank_ended_by_a_signal_is_the_cause_though_only_its_peer_complains(project, monkeypatch):
    with pytest.raises(RunFailed) as failed:
        play(monkeypatch, "killed")
    [problem] = failed.value.diagnostics
    assert (problem.code, problem.message) == ("rank-died", "rank 1 was ended by SIGKILL")
    assert any("the last words of rank 1" in note for note in problem.notes)
    assert "memory" in problem.help


def test_a_rank_that_leaves_without_a_word_is_told_by_its_exit_code(project, monkeypatch):
    with pytest.raises(RunFailed) as failed:
        play(monkeypatch, "silent")
    assert failed.value.diagnostics[0].message == "rank 1 ended with exit code 7"


def test_ranks_that_somebody_else_stopped_are_no_success(project, monkeypatch):
    with pytest.raises(RunFailed) as failed:
        play(monkeypatch, "stopped")
    assert failed.value.diagnostics[0].code == "run-stopped"
    assert read_state(newest(project)).status == "FAILED"


def test_a_library_that_fails_to_import_is_a_failed_run_with_a_log(project):
    with pytest.raises(RunFailed) as failed:
        follow_to_its_end(module="no_such_module")
    assert failed.value.diagnostics[0].code == "rank-died"
    assert any("no_such_module" in note for note in failed.value.diagnostics[0].notes)


def test_the_time_limit_ends_a_run_as_failed(project, monkeypatch):
    with pytest.raises(RunFailed) as failed:
        play(monkeypatch, "stuck", "spec.resources.time_limit=5s")
    [problem] = failed.value.diagnostics
    assert problem.code == "time-limit"
    assert problem.location is not None
    assert read_state(newest(project)).status == "FAILED"
    assert not list(processes_of(newest(project).path))


def test_the_time_limit_holds_while_data_is_prepared(project, monkeypatch):
    started = time.monotonic()
    with pytest.raises(RunFailed) as failed:
        play(monkeypatch, "stuck", "spec.resources.time_limit=1ms")
    assert time.monotonic() - started < 10
    assert failed.value.diagnostics[0].code == "time-limit"
    assert read_state(newest(project)).status == "FAILED"
    assert not newest(project).go.exists()  # so no rank had begun to train


def test_data_at_fault_leaves_nothing_and_points_at_the_spec(project, monkeypatch):
    with pytest.raises(Problems) as failed:
        play(monkeypatch, "fine", "spec.data.label.column=lable")
    [problem] = failed.value.diagnostics
    assert problem.location is not None
    assert run_folders(project) == []
    assert not list((project / ".recplat" / "runs").iterdir())


def test_what_the_system_refuses_before_the_start_is_a_diagnostic_and_leaves_nothing(project, monkeypatch):
    (project / ".recplat" / "cache").write_text("a file where a folder should be")
    with pytest.raises(Problems) as failed:
        play(monkeypatch, "fine")
    assert [problem.code for problem in failed.value.diagnostics] == ["file-access"]
    assert not list((project / ".recplat" / "runs").iterdir())


def test_a_project_in_a_folder_with_an_odd_name(project, monkeypatch):
    odd = project / "a{b}{rank} [c] ü#%41@:?"
    odd.mkdir()
    for path in (".recplat", "rows.csv", "tiny.yaml"):
        (project / path).rename(odd / path)
    monkeypatch.chdir(odd)
    play(monkeypatch, "fine")
    assert read_state(newest(odd)).status == "FINISHED"
    assert mlflow_status(odd, newest(odd)) == "FINISHED"
    assert (newest(odd).logs / "rank-1.log").exists()


def test_ctrl_c_while_the_end_is_recorded_changes_nothing_of_the_end(project, monkeypatch):
    def finish(self, status, timeout_s):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(MlflowTracker, "finish", finish)
    with pytest.raises(Interrupted):
        play(monkeypatch, "fine")
    assert read_state(newest(project)).status == "FINISHED"
    assert f"run {newest(project).path.name} is marked FINISHED" in Path("progress.txt").read_text()


def test_a_run_that_did_not_finish_is_resumed_in_its_folder_and_its_mlflow_run(project, monkeypatch):
    with pytest.raises(Problems, match="stopped before its end"):
        play(monkeypatch, "fine", resume="latest")
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise")
    folder = newest(project)
    with pytest.raises(Problems, match="no complete checkpoint"):
        play(monkeypatch, "fine", resume="latest")
    write_checkpoint(folder)
    place = read_place(folder)

    result = play(monkeypatch, "fine", "spec.train.max_steps=9", resume="latest")

    assert result.run_id == folder.path.name
    assert len(run_folders(project)) == 1
    assert read_place(folder).mlflow_run_id == place.mlflow_run_id
    assert mlflow_status(project, folder) == "FINISHED"
    assert read_state(folder).attempt == 2
    assert json.loads(folder.go.read_text())["resume_from"] == str(folder.checkpoints / "step-00000003")
    assert (folder.path / "attempts" / "1" / "events" / "rank-1.jsonl").exists()
    query = "select value from tags where key = 'recplat.changed_on_resume'"
    with sqlite3.connect(project / ".recplat" / "mlflow.db") as store:
        [[changed]] = store.execute(query).fetchall()
    assert changed == "spec.train.max_steps: not given -> 9"


def test_resuming_with_another_batch_size_or_feature_is_refused_before_anything_is_touched(project, monkeypatch):
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise", "spec.train.max_steps=50")
    folder = newest(project)
    write_checkpoint(folder)
    state = folder.state.read_bytes()
    with pytest.raises(Problems) as failed:
        play(monkeypatch, "fine", "spec.train.batch_size=16", "spec.features.item.dim=8", resume="latest")
    [problem] = failed.value.diagnostics
    assert problem.code == "resume-mismatch"
    assert problem.notes == ("spec.tables.item.dim 4 -> 8", "spec.train.batch_size 32 -> 16")
    assert "`--set`" in problem.help
    assert folder.state.read_bytes() == state
    assert not (folder.path / "attempts").exists()


def test_what_a_resumed_run_may_change_is_said_against_its_first_start(project, monkeypatch):
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise", "spec.train.max_steps=50")
    write_checkpoint(newest(project))
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise", "spec.train.epochs=9", resume="latest")
    Path("progress.txt").unlink()
    play(monkeypatch, "fine", "spec.train.epochs=9", resume="latest")
    said = [line for line in Path("progress.txt").read_text().splitlines() if line.startswith("changed since")]
    assert said == [
        "changed since the run began: spec.train.epochs 1 -> 9",
        "changed since the run began: spec.train.max_steps 50 -> (none)",
    ]


def test_a_run_that_has_finished_is_not_resumed_though_it_is_named(project, monkeypatch):
    result = play(monkeypatch, "fine")
    write_checkpoint(newest(project))
    with pytest.raises(Problems, match="has finished") as failed:
        play(monkeypatch, "fine", "spec.train.epochs=2", resume=result.run_id)
    assert failed.value.diagnostics[0].code == "nothing-to-resume"
    assert newest(project).result.exists()


def test_of_two_who_resume_a_run_at_once_one_is_told_that_it_runs(project, monkeypatch):
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise")
    write_checkpoint(newest(project))
    loaded, meet = load_job("tiny.yaml"), threading.Barrier(2)
    both_have_looked = _stores_opened(monkeypatch, meet)
    told: list[str] = []

    def resume() -> None:
        try:
            told.append(str(_open(loaded, Lines(io.StringIO()), "latest").journal.state.attempt))
        except Problems as problems:
            told.append(problems.diagnostics[0].code)

    threads = [threading.Thread(target=resume) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert both_have_looked
    assert sorted(told) == ["2", "run-still-running"]


def _stores_opened(monkeypatch, meet: threading.Barrier) -> list[str]:
    """Makes those who resume wait for each other where both have found that the run has ended."""
    opened: list[str] = []

    def open_together(job, root, notify):
        meet.wait(60)
        opened.append(job.metadata.name)
        return NullTracker()

    monkeypatch.setattr("recplat.launch.run.open_tracker", open_together)
    return opened


def test_resuming_on_other_data_is_refused_and_the_run_can_still_be_resumed(project, monkeypatch):
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise")
    folder = newest(project)
    write_checkpoint(folder, statistics_digest=json.loads(folder.statistics.read_text())["digest"])
    rows = Path("rows.csv").read_text()
    Path("rows.csv").write_text(rows + "1,3,44\n")
    with pytest.raises(Problems) as failed:
        play(monkeypatch, "fine", resume="latest")
    assert [problem.code for problem in failed.value.diagnostics] == ["resume-mismatch"]
    Path("rows.csv").write_text(rows)
    play(monkeypatch, "fine", resume="latest")
    assert read_state(folder).status == "FINISHED"


def test_evaluations_that_a_killed_launcher_did_not_record_are_recorded_on_resumption(project, monkeypatch):
    with pytest.raises(RunFailed):
        play(monkeypatch, "raise")
    folder = newest(project)
    write_checkpoint(folder)
    events = EventWriter(folder.rank_events(0))
    for step in (3, 7):  # the second one is beyond the checkpoint, so its step will be taken again
        metrics = {"auc": 0.7}
        events.write(
            Evaluated(time=time.time(), step=step, epoch=0, part="eval", num_rows=9, seconds=1, metrics=metrics)
        )
    play(monkeypatch, "fine", resume="latest")
    assert "goes on from the checkpoint of step 3" in Path("progress.txt").read_text()
    with sqlite3.connect(project / ".recplat" / "mlflow.db") as store:
        recorded = store.execute("select step from metrics where key = 'eval/auc' order by step").fetchall()
    assert recorded == [(3,), (4,)]


def write_checkpoint(folder: RunFolder, statistics_digest: str | None = None) -> None:
    checkpoint = folder.checkpoints / "step-00000003"
    checkpoint.mkdir(parents=True)
    manifest = {
        "format": 1,
        "run_id": folder.path.name,
        "plan_digest": "",
        "statistics_digest": statistics_digest,
        "world_size": 2,
        "dense_optimizer": "adam",
        "table_optimizers": {},
        "state": {"step": 3},
        "files": {},
    }
    (checkpoint / "manifest.json").write_text(json.dumps(manifest))
