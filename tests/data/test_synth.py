import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score

from recplat.data import synth
from recplat.data.synth import CATEGORICAL, NUMERIC, write_criteo


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("synth") / "made.parquet"
    return path, write_criteo(path, 100_000, seed=7)


def test_rows_have_criteos_shape(made):
    table = pq.read_table(made[0])
    assert table.column_names == ["label", *NUMERIC, *CATEGORICAL]
    assert table.num_rows == 100_000
    assert all(0.02 < table[name].null_count / 100_000 < 0.12 for name in (*NUMERIC, *CATEGORICAL))
    assert len(table["C20"].unique()) == 5  # four keys and the missing one
    assert len(table["C3"].unique()) > 10_000


def test_the_teachers_auc_is_exact_and_near_what_is_to_be_expected(made):
    path, report = made
    teacher = synth._Teacher(7)
    logits = np.concatenate([teacher.logits(synth._draw(np.random.default_rng((7, synth._ROWS, c)))) for c in (0, 1)])
    labels = pq.read_table(path)["label"].to_numpy()
    assert report.teacher_auc == pytest.approx(roc_auc_score(labels, logits[:100_000]), abs=1e-12)
    assert report.expected_auc == pytest.approx(report.teacher_auc, abs=0.005)
    assert 0.8 < report.expected_auc < 0.9
    assert report.positive_rate == pytest.approx(labels.mean())


def test_expected_auc_is_the_mean_over_draws():
    rng = np.random.default_rng(0)
    logits = np.sort(rng.normal(0, 1, 300).round(1))
    chances = 1 / (1 + np.exp(-logits))
    drawn = [roc_auc_score(rng.random(300) < chances, logits) for _ in range(400)]
    expected = synth._auc(logits, chances, chances * (1 - chances))
    assert expected == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / 20)


def test_the_report_lies_in_the_files_metadata(made):
    path, report = made
    kept = json.loads(pq.ParquetFile(path).metadata.metadata[b"recplat.synth"])
    assert kept["teacher_auc"] == report.teacher_auc


def test_the_first_rows_do_not_depend_on_how_many_there_are(made, tmp_path):
    write_criteo(tmp_path / "few.parquet", 70_000, seed=7)
    write_criteo(tmp_path / "other.parquet", 70_000, seed=8)
    few = pq.read_table(tmp_path / "few.parquet")
    assert few.equals(pq.read_table(made[0]).slice(0, 70_000))
    assert not few.equals(pq.read_table(tmp_path / "other.parquet"))
