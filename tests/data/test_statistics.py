import json
import os
import subprocess
import sys
from collections import Counter

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recplat.catalog.reading import as_keys
from recplat.data import compute_statistics, ensure_statistics, load_statistics, prepare, statistics_key
from recplat.data.lock import statistics_folder
from recplat.data.vocabularies import KeyCounter, load_vocabularies
from recplat.diagnostics import Problems

FEATURES = [
    {"name": "user", "type": "categorical"},
    {"name": "rare", "type": "categorical", "column": "user", "transform": {"type": "vocabulary", "min_count": 3}},
    {"name": "price", "type": "numeric", "transform": ["log1p", "zscore", {"type": "clip", "max": 1}, "minmax"]},
    {"name": "tags", "type": "categorical", "multivalent": True},
]


@pytest.fixture
def rows(project):
    """3,000 rows, half of which train; columns and features of every sort."""
    rng = np.random.default_rng(1)
    n = 3000
    project.features = FEATURES
    columns = {
        "part": rng.choice(["a", "a", "b", "c"], n).tolist(),
        "label": rng.integers(0, 2, n).tolist(),
        "w": rng.random(n).tolist(),
        "user": [f"u{i}" for i in rng.geometric(0.02, n)],
        "price": [None if x > 40 else float(x) for x in rng.lognormal(2, 1, n)],
        "tags": [None if i % 7 == 0 else [f"t{j}" for j in range(i % 4)] for i in range(n)],
    }
    project.data["weight"] = "w"
    project.parquet(**columns)
    return columns


def vocabulary(project, feature):
    loaded = project.load()
    learned = project.statistics().features[feature]
    return load_vocabularies(learned, statistics_folder(loaded.job, loaded.root))[0].to_pylist()


def test_a_vocabulary_is_by_falling_count_then_value_of_the_training_rows(project, rows):
    counts = Counter(user for user, part in zip(rows["user"], rows["part"], strict=True) if part == "a")
    expected = sorted(counts, key=lambda user: (-counts[user], user))
    assert vocabulary(project, "user") == expected
    assert vocabulary(project, "rare") == [user for user in expected if counts[user] >= 3]


def test_moments_are_those_of_the_values_that_reach_the_transform(project, rows):
    prices = [p for p, part in zip(rows["price"], rows["part"], strict=True) if part == "a" and p is not None]
    logs = np.log1p(prices)
    clipped = np.minimum((logs - logs.mean()) / logs.std(), 1)
    learned = project.statistics().features["price"].transforms
    for index, values in ((1, logs), (3, clipped)):
        found = learned[index].moments
        expected = [len(values), values.mean(), values.std(), values.min(), values.max()]
        got = [found.count, found.mean, found.std, found.min, found.max]
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)
    assert learned[0].moments is None
    assert learned[2].moments is None


def test_counts_and_lengths(project, rows):
    statistics = project.statistics()
    training = [i for i, part in enumerate(rows["part"]) if part == "a"]
    tags = statistics.features["tags"]
    lengths = [len(rows["tags"][i] or []) for i in training]
    assert (tags.num_values, tags.max_length) == (sum(lengths), 3)
    assert tags.mean_length == pytest.approx(np.mean(lengths), rel=1e-15)
    assert tags.num_nulls == sum(rows["tags"][i] is None for i in training)
    for name, letter in (("train", "a"), ("eval", "b"), ("test", "c")):
        inside = [i for i, part in enumerate(rows["part"]) if part == letter]
        part = statistics.parts[name]
        assert (part.num_rows, part.num_positive) == (len(inside), sum(rows["label"][i] for i in inside))
        assert part.weight == pytest.approx(sum(rows["w"][i] for i in inside), rel=1e-6)


@pytest.mark.parametrize("row_group", [7, 1000, 3000])
def test_the_digest_does_not_depend_on_how_files_are_cut(project, rows, row_group):
    whole = msgspec.structs.replace(project.statistics(), files=(), digest="", key="")
    table = pq.read_table(project.root / "rows.parquet")
    (project.root / "many").mkdir()
    pq.write_table(table.slice(0, 1234), project.root / "many/1.parquet", row_group_size=row_group)
    pq.write_table(table.slice(1234), project.root / "many/2.parquet", row_group_size=row_group)
    project.data["source"] = {"path": "many"}
    assert msgspec.structs.replace(project.statistics(), files=(), digest="", key="") == whole


def test_counting_keys_in_many_small_batches_gives_the_same(monkeypatch):
    monkeypatch.setattr("recplat.data.vocabularies._MIN_WAITING", 5)
    rng = np.random.default_rng(0)
    keys = [f"k{i}" for i in rng.geometric(0.1, 2000)]
    counter = KeyCounter("string")
    for start in range(0, 2000, 3):
        counter.add(as_keys(pa.array(keys[start : start + 3]), "string"))
    values, counts = counter.result()
    assert dict(zip(values.to_pylist(), counts.tolist(), strict=True)) == Counter(keys)


def test_the_lock_is_reused_until_the_data_changes(project, rows, monkeypatch):
    first = project.statistics()
    with monkeypatch.context() as patched:
        patched.setattr("recplat.data.statistics.compute_statistics", lambda *a, **k: pytest.fail("read again"))
        assert project.statistics() == first
    os.utime(project.root / "rows.parquet", (1, 1))
    again = project.statistics()
    assert again.files[0].mtime_ns == 10**9
    assert again.digest == first.digest


def test_the_key_covers_what_matters_and_nothing_else(project, rows):
    key = statistics_key(project.load().job)
    assert statistics_key(project.load(train={"epochs": 7}, model={"type": "deepfm"}).job) == key
    project.features = [FEATURES[0] | {"pooling": "sum"}, *FEATURES[1:]]
    assert statistics_key(project.load().job) == key
    project.features = [FEATURES[0] | {"transform": {"type": "vocabulary", "min_count": 2}}, *FEATURES[1:]]
    assert statistics_key(project.load().job) != key


def test_a_named_lock_is_written_once_and_holds_no_times(project, rows):
    project.data["statistics"] = "tiny.stats.json"
    statistics = project.statistics()
    named = json.loads((project.root / "tiny.stats.json").read_text())
    assert named["digest"] == statistics.digest
    assert named["files"][0]["path"] == "project:rows.parquet"
    assert named["files"][0]["mtime_ns"] == 0
    loaded = project.load()
    assert load_statistics(loaded.job, loaded.root).digest == statistics.digest


def test_a_named_lock_that_no_longer_fits_the_data_is_refused(project, rows):
    project.data["statistics"] = "tiny.stats.json"
    project.statistics()
    project.parquet(**{name: values[:-1] for name, values in rows.items()})
    problem = project.problem()
    assert (problem.code, problem.path) == ("statistics-stale", "spec.data.statistics")
    assert "recplat data stats" in problem.help


def test_a_named_lock_of_another_spec_is_refused_without_looking_at_the_data(project, rows):
    project.data["statistics"] = "tiny.stats.json"
    project.statistics()
    project.features = FEATURES[:1]
    (project.root / "rows.parquet").unlink()
    loaded = project.load()
    with pytest.raises(Problems, match="statistics-stale"):
        load_statistics(loaded.job, loaded.root)


@pytest.mark.parametrize("damage", [lambda t: t[: len(t) // 2], lambda t: t.replace('"num_rows":', '"num_rows": 1')])
def test_a_damaged_lock_is_refused_when_named_and_made_again_when_not(project, rows, damage):
    project.data["statistics"] = "tiny.stats.json"
    good = project.statistics()
    path = project.root / "tiny.stats.json"
    path.write_text(damage(path.read_text()))
    assert project.problem().code == "statistics-broken"
    del project.data["statistics"]
    loaded = project.load()
    local = statistics_folder(loaded.job, loaded.root) / "statistics.json"
    local.write_text(damage(local.read_text()))
    assert load_statistics(loaded.job, loaded.root) is None
    assert project.statistics().digest == good.digest


def test_missing_vocabularies_are_made_again_and_wrong_ones_refused(project, rows):
    statistics = project.statistics()
    loaded = project.load()
    folder = statistics_folder(loaded.job, loaded.root)
    file = folder / statistics.features["user"].transforms[0].vocabulary.file
    other = folder / statistics.features["tags"].transforms[0].vocabulary.file
    file.unlink()
    assert project.statistics() == statistics
    file.write_bytes(other.read_bytes())
    with pytest.raises(Problems, match="holds other values"):
        prepare(loaded.job, loaded.catalog, statistics, loaded.root)


def test_planning_reads_the_lock_without_numpy_and_arrow(project, rows):
    project.statistics()
    program = (
        "import sys; from recplat.spec import load_job; from recplat.data import load_statistics\n"
        "loaded = load_job(sys.argv[1]); assert load_statistics(loaded.job, loaded.root)\n"
        "sys.exit(bool({'numpy', 'pyarrow', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program, project.root / "tiny.yaml"]).returncode == 0


def test_computing_always_reads_the_data(project, rows):
    loaded = project.load()
    told = []
    statistics = ensure_statistics(loaded.job, loaded.catalog, loaded.root)
    again = compute_statistics(loaded.job, loaded.catalog, loaded.root, progress=lambda *what: told.append(what))
    assert again == statistics
    assert told[-1] == ("statistics, once more", 3000, 3000)


def test_features_of_one_table_share_a_vocabulary_counted_over_both(project):
    project.parquet(item=["b", "a", "b"], seen=[["a"], ["a", "a", "c"], None])
    project.features = [
        {"name": "item", "type": "categorical"},
        {"name": "seen", "type": "sequence", "max_length": 9, "pooling": "sum"},
    ]
    loaded = project.load()
    item, seen = loaded.job.spec.features
    spec = msgspec.structs.replace(loaded.job.spec, features=(item, msgspec.structs.replace(seen, table="item")))
    job = msgspec.structs.replace(loaded.job, spec=spec)
    statistics = compute_statistics(job, loaded.catalog, loaded.root)
    learned = [statistics.features[name] for name in ("item", "seen")]
    values = [load_vocabularies(each, statistics_folder(job, loaded.root))[0].to_pylist() for each in learned]
    assert values == [["a", "b", "c"]] * 2


def test_features_of_one_table_with_keys_of_different_types_are_refused(project):
    project.parquet(item=["7", "8"], seen=[[7], [8]])
    project.features = [
        {"name": "item", "type": "categorical", "transform": {"type": "hash", "buckets": 9}},
        {"name": "seen", "type": "categorical", "multivalent": True, "table": "item", "pooling": "sum"}
        | {"transform": {"type": "hash", "buckets": 9}},
    ]
    problem = project.problem()
    assert (problem.code, problem.path) == ("data-column-type", "spec.features.seen.column")


def test_ones_own_transforms_are_part_of_what_is_kept_and_ones_own_models_are_not(project):
    own = project.root / "own"
    for kind, name in (("transforms", "twice"), ("models", "mine")):
        (own / kind / name).mkdir(parents=True)
        (own / kind / name / "__init__.py").touch()
    (own / "models" / "mine" / "options.py").write_text("class Options: pass\n")
    (own / "transforms" / "twice" / "options.py").write_text(
        "from recplat.lang import kinds\n\n\n"
        'class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="twice"):\n'
        '    """2 x."""\n\n    takes = ("number",)\n    gives = "number"\n'
    )
    code = own / "transforms" / "twice" / "transform.py"
    code.write_text(
        "from recplat.catalog.values import Outcome\n\n\n"
        "def transform(options, numbers, state):\n    return Outcome(2 * numbers)\n"
    )
    project.parquet(age=[1, 2])
    project.features = [{"name": "age", "type": "numeric", "transform": "twice"}]
    assert project.rows(catalog=["own"]).dense.ravel().tolist() == [2, 4]
    first = project.prepare(catalog=["own"])
    (own / "models" / "mine" / "options.py").write_text("class Options: other = 1\n")
    assert project.prepare(catalog=["own"]) == first
    code.write_text(code.read_text().replace("2 *", "3 *"))
    assert project.prepare(catalog=["own"]) != first
