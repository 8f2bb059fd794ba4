import multiprocessing

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from recplat.data import ensure_statistics, prepare
from recplat.data.part_reader import PartReader
from recplat.data.prepared import BLOCK_ROWS, Prepared
from recplat.diagnostics import Problems

FEATURES = [
    {"name": "x", "type": "numeric"},
    {"name": "big", "type": "categorical", "transform": {"type": "hash", "buckets": 2**40}},
    {"name": "user", "type": "categorical"},
    {"name": "y", "type": "numeric", "transform": {"type": "fill", "value": 7}},
    {"name": "tags", "type": "categorical", "multivalent": True},
]


@pytest.fixture
def rows(project):
    n = 2 * BLOCK_ROWS + 100
    project.features = FEATURES
    columns = {
        "x": [float(i) for i in range(n)],
        "y": [None if i % 2 else 1.0 for i in range(n)],
        "big": list(range(n)),
        "user": [f"u{i % 3}" for i in range(n)],
        "tags": [["t"] * (i % 3) for i in range(n)],
    }
    project.parquet(**columns)
    return columns


def test_the_folder_has_the_layout_that_is_written_down(project, rows):
    folder = project.prepare()
    prepared = msgspec.json.decode((folder / "prepared.json").read_bytes(), type=Prepared)
    assert (prepared.dense, prepared.ids, prepared.bags) == (("x", "y"), ("big", "user"), ("tags",))
    with pa.memory_map(str(folder / "train.arrow")) as source:
        file = pa.ipc.open_file(source)
        sizes = [file.get_batch(i).num_rows for i in range(file.num_record_batches)]
        assert sizes == [BLOCK_ROWS, BLOCK_ROWS, 100]
        assert {field.name: str(field.type) for field in file.schema} == {
            "dense": "fixed_size_list<item: float>[2]",
            "ids": "fixed_size_list<item: int64>[2]",
            "bag:tags": "list<item: int32>",
            "label": "float",
        }


def test_columns_hold_the_features_in_the_order_of_the_spec(project, rows):
    batch = project.rows()
    assert batch.dense.dtype == np.float32
    np.testing.assert_array_equal(batch.dense[:, 0], np.array(rows["x"], np.float32))
    assert batch.dense[:4, 1].tolist() == [1, 7, 1, 7]
    assert batch.ids[:, 0].max() > 2**39
    assert batch.ids[:4, 1].tolist() == [2, 3, 4, 2]
    ids, lengths = batch.bags["tags"]
    assert set(ids.tolist()) == {2}
    assert lengths.tolist() == [len(tags) for tags in rows["tags"]]


def test_what_happened_to_values_is_counted(project):
    project.features = [FEATURES[0], FEATURES[2], FEATURES[4]]
    project.parquet(
        part=["a", "b", "b"],
        x=[1e300, None, float("nan")],
        user=["u", "new", None],
        tags=[["t"], ["t", None], None],
    )
    folder = project.prepare()
    assert PartReader(folder, "train").info.counts == {"x": {"clipped": 1}}
    assert PartReader(folder, "eval").info.counts == {
        "x": {"nulls": 1, "non_finite": 1},
        "user": {"nulls": 1, "unknown": 1},
        "tags": {"nulls": 1, "list_nulls": 1},
    }


def test_it_is_reused_until_the_data_or_the_features_change(project, rows):
    first = project.prepare()
    stamp = (first / "prepared.json").stat().st_mtime_ns
    assert project.prepare(train={"epochs": 9}) == first
    assert (first / "prepared.json").stat().st_mtime_ns == stamp
    project.features = FEATURES[:2]
    assert project.prepare() != first
    project.features = FEATURES
    project.parquet(**rows | {"x": rows["x"][::-1]})
    assert project.prepare() != first


def test_nothing_is_left_behind_when_it_fails(project):
    project.features = [{"name": "n", "type": "categorical", "transform": {"type": "identity", "num_ids": 2}}]
    project.parquet(n=[0, 1, 2])
    with pytest.raises(Problems):
        project.prepare()
    assert [path.suffix for path in (project.root / ".recplat/cache").iterdir()] == [".lock"]


def _prepare_in_a_process(root, path, queue):
    from recplat.spec import load_job

    loaded = load_job(path)
    statistics = ensure_statistics(loaded.job, loaded.catalog, loaded.root)
    queue.put(str(prepare(loaded.job, loaded.catalog, statistics, loaded.root)))


def test_two_processes_at_once_get_the_same_whole_folder(project, rows):
    project.load()
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    path = str(project.root / "tiny.yaml")
    processes = [context.Process(target=_prepare_in_a_process, args=(None, path, queue)) for _ in range(2)]
    for process in processes:
        process.start()
    folders = {queue.get(timeout=60) for _ in processes}
    for process in processes:
        process.join()
    assert folders == {str(project.prepare())}
    assert [process.exitcode for process in processes] == [0, 0]


def test_groups_of_a_metric_have_a_number_for_each_distinct_value(project):
    project.features = FEATURES[:1]
    project.parquet(x=[1, 2, 3, 4], session=["s", "t", None, "s"])
    metrics = [{"type": "gauc", "group_by": "session"}]
    group = project.rows(evaluate={"metrics": metrics, "best": "gauc_session"}).groups["session"]
    assert group.dtype == np.int64
    assert group[0] == group[3]
    assert len(set(group.tolist())) == 3


def test_a_job_of_lists_alone(project):
    project.features = [{"name": "clicks", "type": "sequence", "max_length": 2}]
    project.parquet(clicks=[["a", "b", "c"], None, ["c"]])
    batch = project.rows()
    assert batch.dense is None
    assert batch.ids is None
    assert batch.bags["clicks"][1].tolist() == [2, 0, 1]
    # `a` was cut off, so it is no part of the vocabulary: c 2, b 3
    assert batch.bags["clicks"][0].tolist() == [3, 2, 2]


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(b"")])
@pytest.mark.parametrize("name", ["train.arrow", "prepared.json"])
def test_a_folder_that_is_no_longer_whole_is_written_anew(project, rows, name, damage):
    expected = project.rows()
    damage(project.prepare() / name)
    np.testing.assert_array_equal(project.rows().ids, expected.ids)


def test_what_a_killed_process_left_behind_is_removed(project, rows):
    folder = project.prepare()
    left = folder.with_name(f".{folder.name}.999999999")
    folder.rename(left)
    project.prepare()
    assert not left.exists()
