import json

import pytest

from recplat.catalog import builtin_catalog
from tests.catalog.metrics.rows_builder import measure, predictions

NAMES = ("auc", "logloss", "ne", "calibration", "accuracy")


def all_metrics(rows):
    return {name: measure(name, rows) for name in NAMES}


@pytest.mark.parametrize(("label", "undefined"), [(0, {"auc", "ne", "calibration"}), (1, {"auc", "ne"})])
def test_one_class_leaves_auc_undefined_and_the_others_present(label, undefined):
    found = all_metrics(predictions([0.5, -1.0, 2.0], [label] * 3))
    assert {name for name, value in found.items() if value is None} == undefined
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("rows", [predictions([], []), predictions([float("nan"), 1.0], [0, 1])])
def test_no_rows_or_logits_that_are_not_numbers_give_no_figure_and_no_crash(rows):
    assert all_metrics(rows) == dict.fromkeys(NAMES)


def test_every_default_metric_is_covered_here():
    assert set(NAMES) <= set(builtin_catalog().names("metrics"))
