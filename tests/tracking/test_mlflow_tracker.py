"""Against a real SQLite store."""

import contextlib
import os
import pwd
import shutil
import socket
import sqlite3
import threading
import time

import msgspec
import pytest

from recplat.diagnostics import Problems
from recplat.tracking.events import Evaluated
from recplat.tracking.mlflow_run import read_place
from recplat.tracking.mlflow_tracker import MlflowTracker
from recplat.tracking.remote import list_remote
from recplat.tracking.stores import check_answers, choose_uri, without_password


def evaluated(step: int, auc: float | None) -> Evaluated:
    return Evaluated(time=time.time(), step=step, epoch=0, part="test", num_rows=5, seconds=1.0, metrics={"auc": auc})


def track(store_uri, run, events=(), status="FINISHED") -> str | None:
    tracker = MlflowTracker(store_uri, "experiment", pytest.fail)
    tracker.wait_until_open()
    tracker.start(run)
    for event in events:
        tracker.event(event)
    return tracker.finish(status, timeout_s=60)


def test_a_run_has_parameters_metrics_tags_data_and_artifacts(client, store_uri, tracked, folder, tmp_path):
    (tmp_path / "plan.json").write_text("{}")
    run = tracked(artifacts=((tmp_path / "plan.json", "plan"),), tags={"recplat.run_id": "r", "team": "größe"})
    assert track(store_uri, run, [evaluated(1, 0.5), evaluated(2, None), evaluated(3, 0.75)]) is None

    place = read_place(folder)
    found = client.get_run(place.mlflow_run_id)
    assert (found.info.status, place.status, found.info.run_name) == ("FINISHED", "FINISHED", "tiny")
    assert found.data.params == {"spec.train.epochs": "1"}
    assert found.data.tags["team"] == "größe"
    assert "recplat.heartbeat" in found.data.tags
    history = client.get_metric_history(place.mlflow_run_id, "test/auc")
    assert [(metric.step, metric.value) for metric in history] == [(1, 0.5), (3, 0.75)]
    assert [path.path for path in client.list_artifacts(place.mlflow_run_id, "plan")] == ["plan/plan.json"]
    [data] = found.inputs.dataset_inputs
    assert (data.dataset.name, data.dataset.digest) == ("train", "d" * 36)


@pytest.mark.parametrize("status", ["FAILED", "KILLED"])
def test_the_end_is_told_truly(client, store_uri, tracked, folder, status):
    track(store_uri, tracked(), status=status)
    assert client.get_run(read_place(folder).mlflow_run_id).info.status == status


def test_a_resumed_run_goes_on_in_the_same_run_and_notes_what_changed(client, store_uri, tracked, folder):
    track(store_uri, tracked(), [evaluated(1, 0.5)], status="KILLED")
    first = read_place(folder)
    track(store_uri, tracked(params={"spec.train.epochs": "2", "spec.train.max_steps": "9"}), [evaluated(2, 0.6)])
    assert read_place(folder) == msgspec.structs.replace(first, status="FINISHED")
    found = client.get_run(first.mlflow_run_id)
    assert found.data.params["spec.train.epochs"] == "1"
    assert found.data.tags["recplat.changed_on_resume"].splitlines() == [
        "spec.train.epochs: 1 -> 2",
        "spec.train.max_steps: not given -> 9",
    ]
    assert [metric.step for metric in client.get_metric_history(first.mlflow_run_id, "test/auc")] == [1, 2]


class EndsJustAfterTheWait(threading.Event):
    """`wait` gives up in the moment in which the tracker's thread comes to its end."""

    thread: threading.Thread

    def wait(self, timeout: float | None = None) -> bool:
        if not self.thread.is_alive():
            return super().wait(timeout)
        self.thread.join()
        return False


def test_an_end_recorded_just_as_the_wait_gives_up_is_no_trouble(client, store_uri, tracked, folder):
    tracker = MlflowTracker(store_uri, "experiment", pytest.fail)
    tracker._done = EndsJustAfterTheWait()
    tracker._done.thread = tracker._thread
    tracker.start(tracked())
    assert tracker.finish("FINISHED", timeout_s=60) is None
    assert client.get_run(read_place(folder).mlflow_run_id).info.status == "FINISHED"


def test_a_tracker_that_was_never_started_leaves_no_run(client, store_uri, folder):
    before = len(client.search_runs([each.experiment_id for each in client.search_experiments()]))
    tracker = MlflowTracker(store_uri, "experiment", pytest.fail)
    assert tracker.finish("FAILED", timeout_s=60) is None
    assert len(client.search_runs([each.experiment_id for each in client.search_experiments()])) == before
    assert read_place(folder) is None


def test_a_deleted_experiment_is_used_again(client, store_uri, tracked, folder):
    number = client.create_experiment("came back")
    client.delete_experiment(number)
    tracker = MlflowTracker(store_uri, "came back", pytest.fail)
    tracker.start(tracked())
    assert tracker.finish("FINISHED", timeout_s=60) is None
    assert read_place(folder).experiment_id == number


def test_a_server_that_does_not_answer_is_told_within_ten_seconds():
    with socket.socket() as listener:  # accepts connections and says nothing
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        uri = f"http://ann:secret@127.0.0.1:{listener.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(Problems) as found:
            check_answers(uri)
    assert time.monotonic() - start < 10
    [problem] = found.value.diagnostics
    assert problem.code == "tracking-unreachable"
    assert "http://ann:***@127.0.0.1:" in problem.message
    assert "secret" not in problem.message


def test_a_store_of_an_unknown_kind_is_a_problem_when_it_is_opened():
    with pytest.raises(Problems, match="foo://bar"):
        MlflowTracker("foo://bar", "experiment", pytest.fail).wait_until_open()


@pytest.mark.parametrize("uri", ["http://[bad", "http://host:port", "http://two words"])
def test_a_url_that_is_none_is_a_problem(uri):
    with pytest.raises(Problems, match="can't be used"):
        check_answers(uri)


def test_a_server_that_speaks_no_http_is_a_problem():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with listener.accept()[0] as connection:
                connection.sendall(b"220 mail ready\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(Problems, match="can't be used"):
            check_answers(f"http://127.0.0.1:{listener.getsockname()[1]}")
        thread.join()


@pytest.mark.parametrize("kind", ["garbage", "folder", "no driver"])
def test_a_database_that_can_not_be_opened_is_told_at_once(tmp_path, kind):
    path = tmp_path / "mlflow.db"
    if kind == "garbage":
        path.write_bytes(bytes(range(256)) * 20)
    else:
        path.mkdir()
    start = time.monotonic()
    with pytest.raises(Problems, match="can't be used"):
        MlflowTracker(
            f"sqlite:///{path}" if kind != "no driver" else "postgresql://nowhere/x", "experiment", pytest.fail
        ).wait_until_open()
    assert time.monotonic() - start < 30


def test_a_database_that_fails_in_between_is_tried_again(client, tracked, folder, tmp_path, store_uri, capfd):
    path = tmp_path / "mlflow.db"
    shutil.copy(store_uri.removeprefix("sqlite:///"), path)
    told: list[str] = []
    tracker = MlflowTracker(f"sqlite:///{path}", "experiment", told.append)
    tracker.wait_until_open()
    tracker.start(tracked())
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as store:
        while not folder.tracking.exists():
            time.sleep(0.05)
        store.execute("create trigger full before insert on metrics begin select raise(fail, 'disk is full'); end")
        tracker.event(evaluated(1, 0.5))
        while not told:
            time.sleep(0.05)
        store.execute("drop trigger full")
        assert tracker.finish("FINISHED", timeout_s=60) is None
        query = "select value from metrics where key = 'test/auc' and run_uuid = ?"
        assert store.execute(query, (read_place(folder).mlflow_run_id,)).fetchall() == [(0.5,)]
    assert "disk is full" in told[0]
    assert "\n" not in told[0]
    assert "Traceback" not in capfd.readouterr().err


def test_a_user_without_a_name_and_many_tags(client, store_uri, tracked, folder, monkeypatch):
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    tags = {"recplat.run_id": "r", **{f"tag {index} ✓": "" for index in range(150)}}
    assert track(store_uri, tracked(tags=tags)) is None
    found = client.get_run(read_place(folder).mlflow_run_id)
    assert found.data.tags["mlflow.user"] == str(os.getuid())
    assert found.data.tags["tag 149 _"] == ""


def test_the_spec_comes_before_the_environment_before_the_project(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://environment")
    assert choose_uri("http://spec", tmp_path) == "http://spec"
    assert choose_uri(None, tmp_path) == "http://environment"
    monkeypatch.delenv("MLFLOW_TRACKING_URI")
    assert choose_uri(None, tmp_path) == f"sqlite:///{tmp_path}/.recplat/mlflow.db"


def test_passwords_are_not_shown():
    assert without_password("http://mlflow:5000/x") == "http://mlflow:5000/x"
    assert without_password("https://ann:pw@mlflow:5000") == "https://ann:***@mlflow:5000"


def test_runs_of_a_store_are_listed_with_their_parameters_and_others_are_left_out(client, store_uri, tracked, folder):
    track(store_uri, tracked(tags={"recplat.run_id": "20261130-listed"}), [evaluated(1, 0.5)])
    client.create_run(read_place(folder).experiment_id, run_name="not one of ours")
    listed = {record.run_id: (record, fields) for record, fields in list_remote(store_uri)}
    record, fields = listed["20261130-listed"]
    assert (record.name, record.status, record.metrics["test/auc"]) == ("tiny", "FINISHED", 0.5)
    assert fields == {"spec.train.epochs": "1"}
    assert "not one of ours" not in {record.name for record, _ in listed.values()}
