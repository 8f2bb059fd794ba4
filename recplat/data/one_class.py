"""Training rows whose labels are all alike: nothing can be learned from them, and most often a condition is wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recplat.catalog.reading import as_keys
from recplat.data import split
from recplat.data.columns import LABEL_PATH, POSITIVE_PATH
from recplat.data.dataset import Dataset, PartRows
from recplat.data.vocabularies import KeyCounter
from recplat.diagnostics import Diagnostic, Problems, nearest
from recplat.lang.conditions import Condition, parse_condition, write_condition
from recplat.lang.statistics import PartStatistics, Statistics
from recplat.spec.types import Label, TrainingJob

_MAX_VALUES_SHOWN = 5


def refuse_one_class(statistics: Statistics, job: TrainingJob, root: Path) -> None:
    """Evaluation and test rows may be of one class: their AUC is undefined, all else is not.

    Raises:
        Problems: all training rows are of one class. The data is read again to say what their labels are.
    """
    train, label = statistics.parts["train"], job.spec.data.label
    if 0 < train.num_positive < train.num_rows:
        return
    values = _values(Dataset(job, root))
    which = "every training row is" if train.num_positive else "no training row is"
    path = LABEL_PATH if label.positive is None else POSITIVE_PATH
    message = f"{which} positive; `{label.column}` holds {_shown(values)}"
    raise Problems([Diagnostic("data-one-class", message, help=_help(label, values, statistics.parts), path=path)])


def misspelt_positive(dataset: Dataset, rows: PartRows, labels_B: NDArray[np.float32]) -> Diagnostic | None:
    """A warning where none of these rows is positive, and their labels tell what the condition meant."""
    label = dataset.data.label
    if label.positive is None or labels_B.any():
        return None
    values = as_keys(rows.batch.column(label.column), "string").distinct.to_pylist()
    meant = _meant(parse_condition(label.positive), values)
    if meant is None:
        return None
    message = f"none of the first {len(labels_B):,} rows is positive; `{label.column}` holds {_shown(values)}"
    help = f"did you mean `positive: {meant}`?"
    return Diagnostic("data-one-class", message, severity="warning", help=help, path=POSITIVE_PATH)


def _shown(values: Sequence[str]) -> str:
    shown = ", ".join(f"`{value}`" for value in values[:_MAX_VALUES_SHOWN])
    return f"{shown} and {len(values) - _MAX_VALUES_SHOWN} more" if len(values) > _MAX_VALUES_SHOWN else shown


def _values(dataset: Dataset) -> list[str]:
    """The distinct labels of the training rows, most frequent first."""
    column, counter = dataset.data.label.column, KeyCounter("string")
    for rows in dataset.rows((column,), progress=None, what="labels"):
        if rows.part == split.TRAIN:
            counter.add(as_keys(rows.batch.column(column), "string"))
    return [str(value) for value in counter.result()[0].to_pylist()]


def _help(label: Label, values: Sequence[str], parts: Mapping[str, PartStatistics]) -> str:
    kind = "negative" if parts["train"].num_positive else "positive"
    others = [part for name, part in parts.items() if name != "train"]
    if any(part.num_positive != (part.num_rows if parts["train"].num_positive else 0) for part in others):
        return f"other parts hold {kind} rows: divide the rows in another way in `data.split`"
    if label.positive is None:
        return 'name another column, or say which labels are positive: `positive: ">= 4"`, `positive: "in [click]"`'
    if meant := _meant(parse_condition(label.positive), values):
        return f"did you mean `positive: {meant}`?"
    return f"write a condition that {'not all' if kind == 'negative' else 'some'} of the labels meet"


def _meant(condition: Condition, values: Sequence[str]) -> str | None:
    """The condition with the texts that no label is put right, where that is likely; in YAML's quotes."""
    if condition.is_numeric:
        return None
    found = tuple(text if text in values else nearest(str(text), values) for text in condition.values)
    known = tuple(text for text in found if isinstance(text, str))
    if len(known) < len(found) or known == condition.values:
        return None
    return f"'{write_condition(Condition(condition.operator, tuple(dict.fromkeys(known))))}'"
