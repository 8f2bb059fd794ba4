"""A key given twice, misspelt, or one level too high or too low is an error, at any depth; nothing is ignored."""

from pathlib import Path

import pytest

from recplat.diagnostics import Diagnostic
from recplat.spec.load import check_job

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job}
spec:
  data: {source: {path: rows.parquet}, split: {by: random}, label: {column: clicked}}
  features:
    - {name: user_id, type: categorical, dim: 16}
    - {name: item_id, type: categorical, dim: 16, transform: {type: hash, buckets: 1000}}
  model: {type: dlrm, top_mlp: [64]}
  train:
    dense_optimizer: {type: adam, learning_rate: 0.001}
"""


def _found(folder: Path, text: str) -> tuple[Diagnostic, ...]:
    path = folder / "job.yaml"
    path.write_text(text)
    checked = check_job(path)
    assert (checked.loaded is None) == any(found.severity == "error" for found in checked.diagnostics)
    return checked.diagnostics


def test_a_key_given_twice_shows_both_lines(tmp_path: Path):
    text = SPEC + "    batch_size: 1024\n    epochs: 3\n    batch_size: 64\n"
    [found] = _found(tmp_path, text)
    assert (found.code, found.path) == ("duplicate-key", "spec.train.batch_size")
    assert found.location is not None
    assert (found.location.line, found.related[0].location.line) == (14, 12)


def test_a_section_given_twice_is_no_merge(tmp_path: Path):
    assert [found.code for found in _found(tmp_path, SPEC + "  train: {epochs: 3}\n")] == ["duplicate-key"]


def test_a_name_given_twice_shows_both_lines(tmp_path: Path):
    text = SPEC.replace("  model:", "    - {name: user_id, type: numeric}\n  model:")
    [found] = _found(tmp_path, text)
    assert (found.code, found.path) == ("duplicate-name", "spec.features.user_id.name")
    assert found.location is not None
    assert (found.location.line, found.related[0].location.line) == (9, 7)


@pytest.mark.parametrize(
    ("old", "new", "path", "named"),
    [
        ("metadata: {name", "metadata: {lables: {}, name", "metadata.lables", "labels"),
        ("split: {by: random", "split: {by: random, fraction: [0.9, 0.1]", "spec.data.split.fraction", "fractions"),
        ("dim: 16}", "dims: 16}", "spec.features.user_id.dims", "dim"),
        ("buckets: 1000", "buckets: 1000, sead: 3", "spec.features.item_id.transform.sead", "seed"),
        ("top_mlp", "top-mlp", "spec.model.top-mlp", "top_mlp"),
        (
            "learning_rate: 0.001",
            "weigth_decay: 0.01",
            "spec.train.dense_optimizer.weigth_decay",
            "weight_decay",
        ),
        ("  train:\n", "  train:\n    batch-size: 64\n", "spec.train.batch-size", "batch_size"),
        ("  train:\n", "  train:\n    checkpoint: {kep: 3}\n", "spec.train.checkpoint.kep", "keep"),
        (
            "  train:\n",
            "  optimizations: {compile: {fulgraph: true}}\n  train:\n",
            "spec.optimizations.compile.fulgraph",
            "fullgraph",
        ),
        (
            "  train:\n",
            "  sharding: {tables: {user_id: {ranks: 0}}}\n  train:\n",
            "spec.sharding.tables.user_id.ranks",
            "rank",
        ),
    ],
)
def test_a_misspelt_key_gets_the_nearest_name(tmp_path: Path, old: str, new: str, path: str, named: str):
    [found] = _found(tmp_path, SPEC.replace(old, new, 1))
    assert (found.code, found.path) == ("unknown-field", path)
    assert f"did you mean `{named}`?" in found.help
    assert found.fix is not None


@pytest.mark.parametrize(
    ("old", "new", "path", "home"),
    [
        ("  train:\n", "  batch_size: 64\n  train:\n", "spec.batch_size", "`spec.train`"),
        ("  model: {", "  model: {epochs: 3, ", "spec.model.epochs", "`spec.train`"),
        ("  train:\n", "  train:\n    dropout: 0.1\n", "spec.train.dropout", "`spec.model`"),
        ("  train:\n", "  train:\n    beta1: 0.9\n", "spec.train.beta1", "dense_optimizer"),
        ("learning_rate: 0.001", "epochs: 3", "spec.train.dense_optimizer.epochs", "`spec.train`"),
        (
            "dim: 16, transform",
            "dim: 16, seed: 3, transform",
            "spec.features.item_id.seed",
            "`spec.features.item_id.transform`",
        ),
        ("dim: 16}", "dim: 16, rows: 10}", "spec.features.user_id.rows", "`spec.tables`"),
        (
            "label: {column: clicked}",
            "label: {column: clicked, split: {by: random}}",
            "spec.data.label.split",
            "`spec.data`",
        ),
    ],
)
def test_a_right_key_at_a_wrong_level_is_told_where_it_belongs(
    tmp_path: Path, old: str, new: str, path: str, home: str
):
    [found] = _found(tmp_path, SPEC.replace(old, new, 1))
    assert (found.code, found.path) == ("unknown-field", path)
    assert home in found.help


def test_a_merge_key_that_is_overridden_on_purpose_is_no_duplicate(tmp_path: Path):
    text = SPEC.replace(
        "    - {name: item_id",
        "    - &keys {name: item_id",
    ).replace("  model:", "    - {<<: *keys, name: last_item, column: last, dim: 16}\n  model:")
    assert _found(tmp_path, text) == ()
