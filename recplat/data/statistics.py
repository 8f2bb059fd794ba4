"""What the training rows say: vocabularies, moments, lengths, counts. Read `compute_statistics` first."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from recplat.catalog import Catalog
from recplat.data import lock, split
from recplat.data.dataset import Dataset, PartRows, source_files
from recplat.data.file_lock import locked
from recplat.data.fit import FeatureFit, finish_pass
from recplat.data.moments import Total
from recplat.data.one_class import refuse_one_class
from recplat.data.table import Progress
from recplat.data.threads import num_threads
from recplat.data.vocabularies import have_vocabularies
from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.statistics import PARTS, PartStatistics, Statistics
from recplat.spec.paths import resolve
from recplat.spec.types import TrainingJob


def ensure_statistics(
    job: TrainingJob, catalog: Catalog, root: Path, *, progress: Progress | None = None
) -> Statistics:
    """The lock of a job: the one that is there if sizes and times of the sources are still the same, else a new one.

    A lock that the spec names is written if it does not exist. It is never overwritten here: it must agree.

    Raises:
        Problems: the data is at fault, all training rows are of one class, or the lock that the spec names is out
            of date.
    """
    named = lock.load_named(job, root) if job.spec.data.statistics is not None else None
    statistics = _fresh(job, catalog, root) or compute_statistics(job, catalog, root, progress=progress)
    if named is not None and named.digest != statistics.digest:
        raise Problems([lock.stale(job, "the data, or your own transforms, give other statistics now")])
    refuse_one_class(statistics, job, root)
    if job.spec.data.statistics is not None and named is None:
        lock.save_named(statistics, Path(resolve(job.spec.data.statistics, root)))
    return statistics


def compute_statistics(
    job: TrainingJob, catalog: Catalog, root: Path, *, progress: Progress | None = None
) -> Statistics:
    """Reads the data, writes the lock and its vocabularies under `.recplat/`, and returns the lock.

    A chain with two transforms that learn is read twice, since the second learns from what the first gives.

    Raises:
        Problems: the data is at fault.
    """
    folder = lock.statistics_folder(job, root)
    with locked(folder.with_suffix(".lock")):
        dataset = Dataset(job, root)
        fits = [FeatureFit(feature, catalog, dataset, folder) for feature in job.spec.features]
        parts = _first_pass(dataset, fits, progress)
        while pending := [fit for fit in fits if fit.is_pending]:
            _later_pass(dataset, pending, progress)
        if not parts["train"].num_rows:
            raise Problems([_no_training_rows(dataset)])
        statistics = Statistics(
            format=lock.STATISTICS_FORMAT,
            key=lock.statistics_key(job),
            digest="",
            files=dataset.files,
            parts=parts,
            features={fit.feature.name: fit.result() for fit in fits},
            code_digest=catalog.data_digest(),
        )
        statistics = msgspec.structs.replace(statistics, digest=lock.statistics_digest(statistics))
        lock.save_local(statistics, job, root)
    return statistics


def _no_training_rows(dataset: Dataset) -> Diagnostic:
    help, path = "name another source, or widen the part of the training rows in `data.split`", "spec.data"
    if found := dataset.unlisted_values():
        help = f"list under `data.split.train` what marks training rows; the column holds {', '.join(found)}"
        path = "spec.data.split.train"
    return Diagnostic("data-no-rows", "there is no training row", help=help, path=path)


def _fresh(job: TrainingJob, catalog: Catalog, root: Path) -> Statistics | None:
    """The lock of this machine, if it is of these very files and of this code."""
    statistics = lock.load_local(job, root)
    if statistics is None or statistics.files != source_files(job.spec.data, root):
        return None
    if statistics.code_digest != catalog.data_digest():
        return None
    return statistics if have_vocabularies(statistics, lock.statistics_folder(job, root)) else None


def _first_pass(dataset: Dataset, fits: list[FeatureFit], progress: Progress | None) -> dict[str, PartStatistics]:
    """Counts rows by part and values by feature, and feeds the first transform of each feature that learns."""
    columns = [*dataset.label_columns(), *(column for fit in fits for column in fit.feature.columns())]
    counters = [_PartCounter() for _ in PARTS]
    with ThreadPoolExecutor(num_threads()) as pool:
        for rows in dataset.rows(columns, progress=progress, what="statistics"):
            if rows.part != split.LEFT_OUT:
                counters[rows.part].add(dataset.labels(rows), dataset.weights(rows))
            if rows.part == split.TRAIN:
                _add(fits, rows, pool, count=True)
        _finish(fits, pool)
    return {name: counter.result() for name, counter in zip(PARTS, counters, strict=True) if dataset.has_part(name)}


def _later_pass(dataset: Dataset, fits: list[FeatureFit], progress: Progress | None) -> None:
    """Feeds the next transform that learns."""
    columns = [column for fit in fits for column in fit.feature.columns()]
    with ThreadPoolExecutor(num_threads()) as pool:
        for rows in dataset.rows(columns, progress=progress, what="statistics, once more"):
            if rows.part == split.TRAIN:
                _add(fits, rows, pool, count=False)
        _finish(fits, pool)


class _PartCounter:
    def __init__(self) -> None:
        self._num_rows = 0
        self._num_positive = 0
        self._weight: Total | None = None

    def add(self, labels_B: NDArray[np.float32], weights_B: NDArray[np.float32] | None) -> None:
        self._num_rows += len(labels_B)
        self._num_positive += int(np.count_nonzero(labels_B))
        if weights_B is not None:
            self._weight = self._weight or Total()
            self._weight.add(weights_B.astype(np.float64))

    def result(self) -> PartStatistics:
        weight = float(self._num_rows) if self._weight is None else self._weight.result()
        return PartStatistics(num_rows=self._num_rows, num_positive=self._num_positive, weight=weight)


def _add(fits: list[FeatureFit], rows: PartRows, pool: ThreadPoolExecutor, *, count: bool) -> None:
    # Arrow and NumPy release the interpreter's lock. `map` raises the first feature's fault, whichever came first.
    for _ in pool.map(lambda fit: fit.add(rows, count=count), fits):
        pass


def _finish(fits: list[FeatureFit], pool: ThreadPoolExecutor) -> None:
    together: dict[str, list[FeatureFit]] = {}
    for fit in fits:
        together.setdefault(fit.feature.table_name() or f"dense {fit.feature.name}", []).append(fit)
    for _ in pool.map(finish_pass, together.values()):
        pass
