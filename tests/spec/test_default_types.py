"""Options without a `type` are those of the type that the field has by default."""

from pathlib import Path

import pytest

from recplat.catalog import builtin_catalog
from recplat.spec.build import to_plain
from recplat.spec.explain import explain_topic
from recplat.spec.load import check_job

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job}
spec:
  data: {source: {path: rows.csv}, split: {by: random}, label: {column: clicked}}
  features: [{name: user_id, type: categorical, transform: {min_count: 3}}]
  model: dlrm
  train: {dense_optimizer: {learning_rate: 0.01}}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "job.yaml"
    path.write_text(SPEC)
    return path


def test_a_map_of_options_is_of_the_default(spec: Path):
    loaded = check_job(spec).loaded
    assert loaded is not None
    job = to_plain(loaded.job)["spec"]
    assert job["train"]["dense_optimizer"]["type"] == "adam"
    assert job["train"]["dense_optimizer"]["learning_rate"] == 0.01
    [transform] = job["features"][0]["transform"]
    assert (transform["type"], transform["min_count"]) == ("vocabulary", 3)


def test_one_option_can_be_set_alone(spec: Path):
    spec.write_text(SPEC.replace("  train: {dense_optimizer: {learning_rate: 0.01}}\n", ""))
    loaded = check_job(spec, sets=("spec.train.embedding_optimizer.learning_rate=0.02",)).loaded
    assert loaded is not None
    assert loaded.job.spec.train.embedding_optimizer.learning_rate == 0.02


def test_what_only_another_type_has_is_told_of(spec: Path):
    spec.write_text(SPEC.replace("{min_count: 3}", "{buckets: 100}"))
    [fault] = check_job(spec).diagnostics
    assert fault.code == "unknown-field"
    assert fault.help == "`buckets` is an option of `hash`, not of `vocabulary`"


def test_items_of_a_list_say_their_type(spec: Path):
    spec.write_text(SPEC.replace("{min_count: 3}", "[{min_count: 3}]"))
    [fault] = check_job(spec).diagnostics
    assert (fault.code, fault.path) == ("missing-field", "spec.features.user_id.transform.0.type")


def test_explain_says_so():
    explained = explain_topic("spec.train.dense_optimizer", builtin_catalog())
    assert explained.field is not None
    assert "Options without `type` are those of `adam`." in explained.field.description
