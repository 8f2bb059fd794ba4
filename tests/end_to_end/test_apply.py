"""What a run leaves: on the terminal, in its folder, in MLflow."""

import subprocess

import pytest
from PIL import Image

from tests.end_to_end.command import strict_json


@pytest.fixture(scope="session")
def recorded(client, one_rank):
    """The run as MLflow knows it."""
    return client.get_run(one_rank.read("tracking.json")["mlflow_run_id"])


def test_the_result_on_standard_output_has_metrics_speed_and_what_to_type_next(one_rank):
    assert one_rank.done.code == 0, one_rank.done.err
    lines = {line.split()[0]: line.split()[1:] for line in one_rank.done.out.splitlines() if line}
    result = one_rank.read("result.json")
    assert lines["run"] == [one_rank.run_id, "films", "FINISHED"]
    assert lines["metric"] == ["eval", "test"]
    for name in ("auc", "logloss", "ne"):
        shown = [float(value) for value in lines[name]]
        assert shown == pytest.approx([result["metrics"][part][name] for part in ("eval", "test")], abs=1e-4)
    assert float(lines["samples/s"][0].replace(",", "")) == pytest.approx(result["rows_per_second"], abs=1)
    assert lines["details"] == ["recplat", "runs", "show", one_rank.run_id]
    assert lines["MLflow"][:2] == ["mlflow", "ui"]


def test_the_model_has_learnt(one_rank):
    assert one_rank.read("result.json")["metrics"]["test"]["auc"] > 0.7


def test_progress_goes_to_standard_error_line_by_line(one_rank):
    lines = one_rank.done.err.splitlines()
    for start in (
        f"run {one_rank.run_id}",
        "statistics: ",
        "plan: ",
        "data: ",
        "ranks are ready",
        "eval at step 13: auc",
    ):
        assert any(line.startswith(start) for line in lines), start
    assert "\r" not in one_rank.done.err
    assert "\x1b" not in one_rank.done.err + one_rank.done.out


def test_json_on_standard_output_is_one_object_with_the_result(two_ranks):
    result = two_ranks.done.json
    assert two_ranks.done.code == 0, two_ranks.done.err
    assert result["run_id"] == two_ranks.run_id
    assert result["metrics"] == two_ranks.read("result.json")["metrics"]
    assert result["mlflow_run_id"] == two_ranks.read("tracking.json")["mlflow_run_id"]


def test_every_json_file_of_a_run_is_strict_json(one_rank, two_ranks):
    for run in (one_rank, two_ranks):
        files = [*run.folder.glob("**/*.json"), *run.folder.glob("events/*.jsonl")]
        assert len(files) >= 8
        for file in files:
            for text in [file.read_text()] if file.suffix == ".json" else file.read_text().splitlines():
                strict_json(text)


def test_mlflow_has_one_finished_run_for_each_run(client, one_rank, two_ranks, recorded):
    for run in (one_rank, two_ranks):
        found = client.search_runs([recorded.info.experiment_id], f"tags.`recplat.run_id` = '{run.run_id}'")
        assert [each.info.status for each in found] == ["FINISHED"]


def test_mlflow_has_metrics_by_step(client, recorded, one_rank):
    names = recorded.data.metrics
    for name in ("train/loss", "eval/auc", "eval/logloss", "test/auc", "perf/samples_per_second", "perf/eval_seconds"):
        assert name in names
    assert any(name.startswith("system/") for name in names)
    evaluated = client.get_metric_history(recorded.info.run_id, "eval/auc")
    assert [metric.step for metric in evaluated] == [13, 26, 39]
    losses = sorted(client.get_metric_history(recorded.info.run_id, "train/loss"), key=lambda metric: metric.step)
    assert losses[-1].step == 39
    assert losses[-1].value < losses[0].value
    assert names["test/auc"] == one_rank.read("result.json")["metrics"]["test"]["auc"]


def test_mlflow_has_every_field_by_its_path(recorded):
    params = recorded.data.params
    assert params["spec.train.batch_size"] == "256"
    assert params["spec.tables.user_id.dim"] == "8"
    assert params["spec.train.dense_optimizer.type"] == "adam"  # a default, written out
    assert params["spec.data.source.path"] == "project:data/ml-100k/ratings.parquet"


def test_mlflow_has_tags_that_say_what_ran(recorded, project, one_rank):
    tags, plan = recorded.data.tags, one_rank.read("plan.json")
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, capture_output=True, text=True).stdout.strip()
    assert tags["recplat.git_revision"] == head
    assert tags["recplat.spec_hash"] == plan["spec_digest"]
    assert tags["recplat.plan_hash"] == plan["digest"]
    assert tags["recplat.heartbeat"].endswith("Z")


def test_mlflow_has_the_data_as_inputs(recorded):
    inputs = {each.dataset.name: each for each in recorded.inputs.dataset_inputs}
    assert set(inputs) == {"train", "eval", "test"}
    assert "ratings.parquet" in inputs["train"].dataset.source


def test_mlflow_has_spec_plan_statistics_and_plots_that_open(client, recorded, tmp_path):
    client.download_artifacts(recorded.info.run_id, "", tmp_path)
    for name in ("spec/films.yaml", "spec/normal.json", "plan/plan.json", "data/statistics.json", "result.json"):
        assert (tmp_path / name).is_file(), name
    plots = {file.stem: file for file in (tmp_path / "plots").iterdir()}
    assert set(plots) == {"loss", "metrics", "roc", "calibration"}
    for file in plots.values():
        with Image.open(file) as image:
            assert image.format == "PNG"
            assert image.width > 500
            assert len(image.convert("RGB").getcolors(100_000)) > 20  # something is drawn
