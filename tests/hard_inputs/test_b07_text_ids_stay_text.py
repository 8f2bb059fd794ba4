"""Ids of digits must not turn into numbers on the way from a file to a row of a table."""

import pyarrow as pa
import pytest

from recplat.data.features import computer
from recplat.data.lock import statistics_folder
from recplat.data.vocabularies import load_vocabularies

IDS = ["00260881", "01", "1", "1.0", "12345678901234567890", "a,b", "日本"]
ROWS = "".join(f'a,{row % 2},"{id_}"\n' for row, id_ in enumerate(IDS))


@pytest.fixture(params=["vocabulary", "hash"])
def project_of_ids(project, request):
    project.text("rows.csv", f"part,label,item\n{ROWS}")
    transform = {"type": "hash", "buckets": 2**40} if request.param == "hash" else "vocabulary"
    project.features = [{"name": "item", "type": "categorical", "transform": transform}]
    return project


def test_ids_of_digits_are_as_many_ids_as_texts(project_of_ids):
    assert len(set(project_of_ids.rows().ids.ravel().tolist())) == len(IDS)


def test_a_single_request_gets_the_row_that_was_trained_for_its_text(project_of_ids):
    loaded = project_of_ids.load()
    trained = project_of_ids.rows().ids.ravel().tolist()
    learned = project_of_ids.statistics().features["item"]
    vocabularies = load_vocabularies(learned, statistics_folder(loaded.job, loaded.root))
    served = computer(loaded.job.spec.features[0], loaded.catalog, learned, vocabularies)
    assert [served.compute([pa.array([id_])]).values.tolist() for id_ in IDS] == [[row] for row in trained]


def test_whole_numbers_of_every_size_stay_apart(project):
    numbers = [2**31 - 1, 2**31, 2**31 + 5, 5, 2**53, 2**53 + 1, 2**63 - 1, 2**64 - 1]
    project.parquet(item=pa.array(numbers, pa.uint64()))
    project.features = [{"name": "item", "type": "categorical"}]
    assert sorted(project.rows().ids.ravel().tolist()) == list(range(2, 10))
