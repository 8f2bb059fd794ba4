"""What one feature learns from the training rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.catalog import Catalog
from recplat.catalog.values import Flat
from recplat.data.columns import feature_path
from recplat.data.dataset import Dataset, PartRows
from recplat.data.features import FeatureComputer, State, state_of
from recplat.data.moments import MomentsAccumulator
from recplat.data.vocabularies import KeyCounter, save_vocabulary
from recplat.lang.kinds import Feature
from recplat.lang.statistics import FeatureStatistics, TransformStatistics


class FeatureFit:
    """What is learned of one feature, one learning transform in each pass."""

    def __init__(self, feature: Feature, catalog: Catalog, dataset: Dataset, folder: Path) -> None:
        self.feature = feature
        self._catalog = catalog
        self._value_type = dataset.value_types[feature.name]
        self._folder = folder
        self._learned: list[TransformStatistics] = []
        self._states: list[State] = []
        self._num_rows = self._num_values = self._num_nulls = self._max_length = 0
        self._advance()

    @property
    def is_pending(self) -> bool:
        return len(self._learned) < len(self.feature.transforms())

    def add(self, rows: PartRows, *, count: bool) -> None:
        """Takes training rows in; `count`: whether they have not been counted yet."""
        columns = [rows.batch.column(name) for name in self.feature.columns()]
        with rows.refusing(f"feature `{self.feature.name}`", feature_path(self.feature)):
            flat = self._computer.flatten(columns)
            if count:
                self._count(flat, rows.batch.num_rows)
            if self._accumulator is not None:
                values, _ = self._computer.run(flat)
                self._accumulator.add(values)

    def _learn_moments(self) -> None:
        self._learn(TransformStatistics(moments=self._accumulator.result()), None)

    def _learn_vocabulary(self, values: pa.Array, counts: NDArray[np.int64]) -> None:
        transform, position = self.feature.transforms()[len(self._learned)], len(self._learned)
        vocabulary = self._catalog.implementation(transform, "transform").select(transform, values, counts)
        saved = save_vocabulary(vocabulary, self.feature.name, position, self._folder)
        self._learn(TransformStatistics(vocabulary=saved), vocabulary)

    def _learn(self, learned: TransformStatistics, vocabulary: pa.Array | None) -> None:
        self._states.append(state_of(self.feature.transforms()[len(self._learned)], learned, vocabulary))
        self._learned.append(learned)
        self._advance()

    def result(self) -> FeatureStatistics:
        is_list = self.feature.is_list()
        return FeatureStatistics(
            num_values=self._num_values,
            num_nulls=self._num_nulls,
            max_length=self._max_length,
            mean_length=self._num_values / max(self._num_rows, 1) if is_list else 1.0,
            value_type=self._value_type,
            transforms=tuple(self._learned),
        )

    def _advance(self) -> None:
        """Up to the next transform that learns, if there is one."""
        transforms = self.feature.transforms()
        while self.is_pending and transforms[len(self._learned)].needs is None:
            self._states.append(None)
            self._learned.append(TransformStatistics())
        self._computer = FeatureComputer(self.feature, self._catalog, self._value_type, self._states)
        self._accumulator: Any = None
        if self.is_pending:
            needs = transforms[len(self._learned)].needs
            self._accumulator = MomentsAccumulator() if needs == "moments" else KeyCounter(self._value_type)

    def _count(self, flat: Flat, num_rows: int) -> None:
        self._num_rows += num_rows
        self._num_values += flat.num_values
        self._num_nulls += sum(flat.counts.get(name, 0) for name in ("nulls", "non_finite", "list_nulls"))
        longest = 1 if flat.offsets is None else int(np.diff(flat.offsets).max(initial=0))
        self._max_length = max(self._max_length, longest)


def finish_pass(fits: Sequence[FeatureFit]) -> None:
    """Ends a pass for features that learn together: those of one table, whose ids must mean the same.

    Their vocabulary holds the keys of all of them, counted over all of them.
    """
    counters = [fit._accumulator for fit in fits if isinstance(fit._accumulator, KeyCounter)]
    if counters:
        for other in counters[1:]:
            counters[0].absorb(other)
        values, counts = counters[0].result()
    for fit in fits:
        if isinstance(fit._accumulator, KeyCounter):
            fit._learn_vocabulary(values, counts)
        elif fit.is_pending:
            fit._learn_moments()
