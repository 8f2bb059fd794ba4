"""The schema that editors use and what `validate` says agree on every document."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import Draft202012Validator

from recplat.catalog import builtin_catalog
from recplat.spec.build import to_plain
from recplat.spec.load import Checked, LoadedJob, check_job
from recplat.spec.render import render_yaml
from recplat.spec.schema import document_schema
from tests.spec.documents import changed_documents, documents, faultless_documents

#: What a schema can express: that a field is known, is there, and has a value of its type, in its range and form.
STRUCTURAL = {
    "bad-format",
    "missing-field",
    "not-finite",
    "old-api-version",
    "out-of-range",
    "refused-field",
    "unknown-api-version",
    "unknown-field",
    "unknown-kind",
    "unknown-type",
    "unknown-value",
    "wrong-length",
    "wrong-type",
}
AUTHORING = Draft202012Validator(document_schema(builtin_catalog(), "authoring"))
NORMAL = Draft202012Validator(document_schema(builtin_catalog(), "normal"))

_settings = settings(deadline=None, max_examples=250, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / ".recplat").mkdir()
    return folder


def _check(document: object, folder: Path) -> Checked:
    file = folder / "job.yaml"
    file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")  # JSON is YAML
    return check_job(file, env={})


def _loaded(document: object, folder: Path) -> LoadedJob:
    checked = _check(document, folder)
    # Numbers at random may give a batch that is too small for its ranks.
    assume("batch-too-small" not in {found.code for found in checked.diagnostics})
    assert checked.loaded is not None, checked.diagnostics
    return checked.loaded


def _structural(checked: Checked) -> list[str]:
    return [str(found) for found in checked.diagnostics if found.code in STRUCTURAL and found.severity == "error"]


@_settings
@given(document=documents())
def test_both_accept_right_documents(folder: Path, document: dict[str, object]):
    assert list(AUTHORING.iter_errors(document)) == []
    assert _structural(_check(document, folder)) == []


@_settings
@given(document=changed_documents())
def test_both_accept_the_same_documents(folder: Path, document: dict[str, object]):
    """Left out is what a schema can't know: files (`extends`, `catalog`), variables, and faults of the YAML itself.

    Also left out are line breaks at the end of a text: `$` in a schema does not match before one, but it does in
    Python, in which the schema is tried here.
    """
    assume(isinstance(document, dict) and "extends" not in document and '\\n"' not in json.dumps(document))
    checked = _check(document, folder)
    assume(not any(found.code == "catalog-unusable" for found in checked.diagnostics))
    errors = [f"{error.json_path}: {error.message}" for error in AUTHORING.iter_errors(document)]
    assert bool(errors) == bool(_structural(checked)), (errors, _structural(checked))


@_settings
@given(document=faultless_documents())
def test_the_normal_form_is_a_fixed_point(folder: Path, document: dict[str, object]):
    loaded = _loaded(document, folder)
    text = render_yaml(loaded.job)
    again = folder / "normal.yaml"
    again.write_text(text, encoding="utf-8")
    checked = check_job(again, env={})
    assert checked.diagnostics == tuple(found for found in checked.diagnostics if found.severity == "warning")
    assert checked.loaded is not None
    assert render_yaml(checked.loaded.job) == text
    assert checked.loaded.job == loaded.job


@_settings
@given(document=faultless_documents())
def test_the_normal_form_fits_both_schemas(folder: Path, document: dict[str, object]):
    loaded = _loaded(document, folder)
    plain = to_plain(loaded.job)
    assert list(NORMAL.iter_errors(plain)) == []
    assert list(AUTHORING.iter_errors(plain)) == []
    assert yaml.load(render_yaml(loaded.job), yaml.SafeLoader) == plain
