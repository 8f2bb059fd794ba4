"""A model that lies beside the spec is a model like any other."""

import json
import subprocess

import pytest

from tests.end_to_end.command import recplat
from tests.end_to_end.conftest import apply

TOY = "examples/toy.yaml"


@pytest.fixture(scope="module")
def toy(project):
    settings = ("spec.resources.device=cpu", "spec.train.max_steps=5")
    return apply(project, TOY, *(word for setting in settings for word in ("--set", setting)))


def test_it_trains(toy):
    assert toy.done.code == 0, toy.done.err
    assert toy.read("plan.json")["model"]["type"] == "toy"
    assert toy.read("result.json")["step"] == 5


def test_nothing_of_the_checkout_has_changed(project, toy):
    status = subprocess.run(["git", "status", "--porcelain"], cwd=project, capture_output=True, text=True, check=True)
    assert status.stdout == ""


def test_the_schema_knows_its_options(project):
    text = json.dumps(recplat(project, "schema", TOY).json)
    assert "query_features" in text
    assert "query_features" not in json.dumps(recplat(project, "schema").json)


def test_a_wrong_option_of_it_is_found_at_its_place(project):
    spec = project / "examples" / "toy.yaml"
    wrong = project / "examples" / "wrong.yaml"
    wrong.write_text(spec.read_text().replace("type: toy,", "type: toy, widht: 8,"))
    try:
        done = recplat(project, "validate", "examples/wrong.yaml", "-o", "json")
    finally:
        wrong.unlink()
    assert done.code == 1
    [fault] = done.json
    assert (fault["code"], fault["path"]) == ("unknown-field", "spec.model.widht")
    assert "width" in fault["help"]
    lines = spec.read_text().splitlines()
    assert lines[fault["line"] - 1].startswith("  model: ")


def test_its_own_checks_are_told_like_all_others(project):
    done = recplat(project, "validate", TOY, "--set", "spec.model.query_features=[user_id, age]")
    assert done.code == 1
    assert "error[toy-unknown-feature]: `age` is no feature with a table" in done.err
