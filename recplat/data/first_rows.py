"""A quick look at the first rows of each source: what `recplat validate --data` finds without reading all."""

from collections.abc import Iterator
from pathlib import Path

from recplat.catalog import Catalog
from recplat.data import split
from recplat.data.columns import feature_path
from recplat.data.dataset import Dataset, PartRows
from recplat.data.features import FeatureComputer
from recplat.data.one_class import misspelt_positive
from recplat.diagnostics import Diagnostic, Problems
from recplat.spec.types import TrainingJob

NUM_FIRST_ROWS = 1000


def first_rows_faults(job: TrainingJob, catalog: Catalog, root: Path) -> tuple[Diagnostic, ...]:
    """Faults of files, columns and types; where there is none, those of the first rows of each source.

    One fault for each label, weight or feature and source; what a transform refuses is not among them.
    """
    try:
        dataset = Dataset(job, root)
        features = [FeatureComputer(f, catalog, dataset.value_types[f.name], ()) for f in job.spec.features]
        columns = [*dataset.label_columns(), *(c for feature in job.spec.features for c in feature.columns())]
        found = [
            fault for rows in dataset.first_rows(columns, NUM_FIRST_ROWS) for fault in _faults(dataset, features, rows)
        ]
    except Problems as problems:
        return problems.diagnostics
    return tuple(found)


def _faults(dataset: Dataset, features: list[FeatureComputer], rows: PartRows) -> Iterator[Diagnostic]:
    if rows.part == split.LEFT_OUT:
        return
    try:
        labels_B = dataset.labels(rows)
        if rows.part == split.TRAIN and (warning := misspelt_positive(dataset, rows, labels_B)):
            yield warning
    except Problems as problems:
        yield from problems.diagnostics
    try:
        dataset.weights(rows)
    except Problems as problems:
        yield from problems.diagnostics
    for feature in features:
        columns = [rows.batch.column(name) for name in feature.options.columns()]
        try:
            with rows.refusing(f"feature `{feature.options.name}`", feature_path(feature.options)):
                feature.flatten(columns)
        except Problems as problems:
            yield from problems.diagnostics
