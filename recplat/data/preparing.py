"""Writes prepared data: features computed, one memory-mapped Arrow file a part. The layout is in `prepared.py`."""

import hashlib
import os
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.catalog import Catalog
from recplat.catalog.hashing import hash_keys
from recplat.catalog.reading import as_keys
from recplat.data import split
from recplat.data.columns import feature_path, group_columns
from recplat.data.dataset import Dataset, PartRows
from recplat.data.features import Computed, FeatureComputer, computer, id_type_of
from recplat.data.file_lock import locked
from recplat.data.lock import statistics_folder
from recplat.data.part_writer import PartWriter, bag, matrix
from recplat.data.prepared import BLOCK_ROWS, PREPARED_FORMAT, Prepared, PreparedPart
from recplat.data.table import Progress
from recplat.data.threads import num_threads
from recplat.data.vocabularies import load_vocabularies
from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.statistics import PARTS, Statistics
from recplat.spec.paths import STATE_FOLDER
from recplat.spec.types import TrainingJob

PREPARED_FILE = "prepared.json"


def prepare(
    job: TrainingJob, catalog: Catalog, statistics: Statistics, root: Path, *, progress: Progress | None = None
) -> Path:
    """The folder of the job's prepared data below `.recplat/cache/`, written unless it is there already.

    It is made in a folder of its own and renamed, so that no reader ever sees half of it. Memory: a few batches.

    Args:
        statistics: of these very sources (`ensure_statistics`).
    Raises:
        Problems: a value that a transform refuses, or the data is at fault in another way.
    """
    cache = root / STATE_FOLDER / "cache"
    key = _key(statistics)
    folder = cache / key
    if _is_whole(folder):
        return folder
    with locked(cache / f"{key}.lock"):
        if _is_whole(folder):
            return folder
        for left_behind in cache.glob(f".{key}.*"):  # by a process that was killed
            shutil.rmtree(left_behind, ignore_errors=True)
        temporary = cache / f".{key}.{os.getpid()}"
        temporary.mkdir()
        try:
            _write(job, catalog, statistics, root, temporary, key, progress)
            shutil.rmtree(folder, ignore_errors=True)
            temporary.rename(folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _is_whole(folder: Path) -> bool:
    """Whether all that was written is still there; a power cut or a clean-up may have taken some of it."""
    try:
        prepared = msgspec.json.decode((folder / PREPARED_FILE).read_bytes(), type=Prepared)
        return all((folder / part.file).stat().st_size == part.num_bytes for part in prepared.parts.values())
    except (FileNotFoundError, msgspec.MsgspecError):
        return False


def _key(statistics: Statistics) -> str:
    """The statistics' key and digest say what is computed, the files' sizes and times from what."""
    said = [PREPARED_FORMAT, BLOCK_ROWS, statistics.key, statistics.digest, msgspec.to_builtins(statistics.files)]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()[:32]


def _write(
    job: TrainingJob,
    catalog: Catalog,
    statistics: Statistics,
    root: Path,
    folder: Path,
    key: str,
    progress: Progress | None,
) -> None:
    dataset = Dataset(job, root)
    maker = _BlockMaker(job, catalog, statistics, root, dataset)
    present = [name for name in PARTS if dataset.has_part(name)]
    counts: list[dict[str, Counter[str]]] = [{} for _ in PARTS]
    num_left_out = 0
    with ExitStack() as stack:
        writers = {PARTS.index(name): stack.enter_context(PartWriter(folder / f"{name}.arrow")) for name in present}
        pool = stack.enter_context(ThreadPoolExecutor(num_threads()))
        for rows in dataset.rows(maker.columns, progress=progress, what="prepare"):
            if rows.part == split.LEFT_OUT:
                num_left_out += rows.batch.num_rows
            else:
                writers[rows.part].add(maker.make(rows, pool, counts[rows.part]))
    parts = {
        PARTS[part]: PreparedPart(
            file=f"{PARTS[part]}.arrow",
            num_bytes=(folder / f"{PARTS[part]}.arrow").stat().st_size,
            num_rows=writer.num_rows,
            num_dropped=num_left_out if part == split.TRAIN else 0,
            counts={feature: dict(+found) for feature, found in counts[part].items() if +found},
        )
        for part, writer in writers.items()
    }
    prepared = Prepared(
        format=PREPARED_FORMAT,
        key=key,
        statistics_digest=statistics.digest,
        block_rows=BLOCK_ROWS,
        dense=maker.dense,
        ids=maker.ids,
        bags=maker.bags,
        groups=maker.groups,
        has_weight=job.spec.data.weight is not None,
        parts=parts,
    )
    (folder / PREPARED_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(prepared), indent=2))


class _BlockMaker:
    """Turns rows of a part into columns of prepared data."""

    def __init__(
        self, job: TrainingJob, catalog: Catalog, statistics: Statistics, root: Path, dataset: Dataset
    ) -> None:
        features = job.spec.features
        self._dataset = dataset
        self._computers = [_computer(feature.name, job, catalog, statistics, root) for feature in features]
        self._id_types = {f.name: id_type_of(f, statistics.features[f.name]) for f in features}
        self.dense = tuple(f.name for f in features if f.gives == "dense")
        self.ids = tuple(f.name for f in features if f.gives == "bag" and not f.is_list())
        self.bags = tuple(f.name for f in features if f.gives == "bag" and f.is_list())
        self.groups = group_columns(job.spec)
        read = (column for feature in features for column in feature.columns())
        self.columns = tuple(dict.fromkeys((*dataset.label_columns(), *read, *self.groups)))
        is_wide = any(self._id_types[name] is np.int64 for name in self.ids)
        self._matrix_type: type[np.generic] = np.int64 if is_wide else np.int32

    def make(self, rows: PartRows, pool: ThreadPoolExecutor, counts: dict[str, Counter[str]]) -> dict[str, pa.Array]:
        """The columns; what happened to values is added to `counts`.

        Raises:
            Problems: a value that is refused.
        """
        computed = dict(pool.map(lambda each: (each.options.name, self._compute(each, rows)), self._computers))
        for name, feature in computed.items():
            counts.setdefault(name, Counter()).update(feature.counts)
        columns: dict[str, pa.Array] = {}
        if self.dense:
            columns["dense"] = matrix([computed[name].values for name in self.dense], np.float32)
        if self.ids:
            columns["ids"] = matrix([computed[name].values for name in self.ids], self._matrix_type)
        for name in self.bags:
            offsets = computed[name].offsets
            assert offsets is not None
            columns[f"bag:{name}"] = bag(computed[name].values, offsets)
        columns["label"] = pa.array(self._dataset.labels(rows))
        weights = self._dataset.weights(rows)
        if weights is not None:
            columns["weight"] = pa.array(weights)
        for column in self.groups:
            columns[f"group:{column}"] = pa.array(_group_numbers(rows, column))
        return columns

    def _compute(self, feature: FeatureComputer, rows: PartRows) -> Computed:
        columns = [rows.batch.column(name) for name in feature.options.columns()]
        with rows.refusing(f"feature `{feature.options.name}`", feature_path(feature.options)):
            return feature.compute(columns, self._id_types[feature.options.name])


def _computer(name: str, job: TrainingJob, catalog: Catalog, statistics: Statistics, root: Path) -> FeatureComputer:
    [feature] = [feature for feature in job.spec.features if feature.name == name]
    learned = statistics.features[name]
    try:
        vocabularies = load_vocabularies(learned, statistics_folder(job, root))
    except ValueError as error:
        help = "run `recplat data stats` on the spec"
        raise Problems([Diagnostic("statistics-broken", str(error), help=help, path=feature_path(feature))]) from error
    return computer(feature, catalog, learned, vocabularies)


def _group_numbers(rows: PartRows, column: str) -> NDArray[np.int64]:
    """A number for each distinct value: its 64-bit hash, so that no list of values has to be kept; 0 for none."""
    with rows.refusing(f"group `{column}`", "spec.evaluate.metrics"):
        keys = as_keys(rows.batch.column(column), "string")
    return keys.spread(hash_keys(keys.distinct).view(np.int64), 0)
