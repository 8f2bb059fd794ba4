"""Features ready to be computed: their options, their code, and what they learned from the training rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from recplat.catalog import Catalog
from recplat.catalog.lookup import Lookup
from recplat.catalog.reading import FLOAT32_MAX
from recplat.catalog.values import BadValue, Flat, Numbers, Values
from recplat.lang.kinds import Feature, Transform
from recplat.lang.statistics import FeatureStatistics, Moments, TransformStatistics, ValueType

#: What a transform learned: moments, a vocabulary, or nothing.
State = Moments | Lookup | None

_INT32_MAX = 2**31 - 1
_Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class Computed:
    """A feature of a batch of B rows.

    values: dense: float32 [B], all finite; one id a row: int32 or int64 [B]; lists: ids [N], cut by `offsets`.
    offsets: int64 [B + 1] for lists, else None.
    counts: how often what happened, such as "nulls" or "unknown".
    """

    values: NDArray[Any]
    offsets: NDArray[np.int64] | None
    counts: Mapping[str, int]


class FeatureComputer:
    """One feature. The same object serves training, evaluation and a server: it holds nothing that changes."""

    def __init__(self, options: Feature, catalog: Catalog, value_type: ValueType, states: Sequence[State]) -> None:
        """`states`: one for each transform that is to run; fewer than the feature has stop its chain early."""
        self.options = options
        self.value_type: ValueType = value_type
        self._read = catalog.implementation(options, "transform").read
        self._steps = [
            (catalog.implementation(transform, "transform").transform, transform, state)
            for transform, state in zip(options.transforms(), states, strict=False)
        ]

    def flatten(self, columns: Sequence[pa.Array]) -> Flat:
        """The values before the first transform.

        Raises:
            BadValue: a value of the wrong type; its index is that of the row.
        """
        flat: Flat = self._read(self.options, columns, self.value_type)
        return flat

    def run(self, flat: Flat) -> tuple[Values, _Counts]:
        """The values behind the last transform that has a state, and all counts.

        Raises:
            BadValue: a value that a transform refuses; its index is that of the row.
        """
        values: Any = flat.values
        counts = dict(flat.counts)
        for transform, options, state in self._steps:
            try:
                outcome = transform(options, values, state)
            except BadValue as bad:
                if flat.offsets is not None:
                    bad.index = int(np.searchsorted(flat.offsets, bad.index, side="right")) - 1
                raise
            values = outcome.values
            for name, number in outcome.counts.items():
                counts[name] = counts.get(name, 0) + number
        return values, counts

    def compute(self, columns: Sequence[pa.Array], id_type: type[np.int32] | type[np.int64] = np.int64) -> Computed:
        """The feature of a batch.

        Args:
            columns: those that `Feature.columns` names, in that order.
            id_type: must hold every id of the feature's table (`id_type_of`).
        Raises:
            BadValue: a value that is refused; its index is that of the row.
        """
        flat = self.flatten(columns)
        values, counts = self.run(flat)
        assert isinstance(values, np.ndarray)
        if self.options.gives == "dense":
            dense, num_clipped = _as_float32(values.astype(np.float64, copy=False))
            counts["clipped"] = counts.get("clipped", 0) + num_clipped
            return Computed(dense, None, counts)
        return Computed(values.astype(id_type), flat.offsets, counts)


def computer(
    options: Feature, catalog: Catalog, statistics: FeatureStatistics, vocabularies: Mapping[int, pa.Array]
) -> FeatureComputer:
    """A feature with all that it learned.

    Args:
        vocabularies: values by the position of their transform.
    """
    states = [
        state_of(transform, learned, vocabularies.get(position))
        for position, (transform, learned) in enumerate(zip(options.transforms(), statistics.transforms, strict=True))
    ]
    return FeatureComputer(options, catalog, statistics.value_type, states)


def id_type_of(options: Feature, statistics: FeatureStatistics) -> type[np.int32] | type[np.int64]:
    """The narrowest type that holds the feature's ids."""
    num_rows = options.num_rows(statistics)
    return np.int32 if num_rows is not None and num_rows - 1 <= _INT32_MAX else np.int64


def state_of(transform: Transform, learned: TransformStatistics, vocabulary: pa.Array | None) -> State:
    """What a transform is given of what it learned."""
    if transform.needs == "moments":
        assert learned.moments is not None
        return learned.moments
    if transform.needs == "vocabulary":
        assert vocabulary is not None
        return Lookup(vocabulary)
    return None


def _as_float32(numbers: Numbers) -> tuple[NDArray[np.float32], int]:
    """Missing numbers as 0.0, those beyond float32 moved to its end and counted."""
    num_beyond = int((np.abs(numbers) > FLOAT32_MAX).sum())
    bounded = np.clip(numbers, -FLOAT32_MAX, FLOAT32_MAX)
    return np.where(np.isnan(bounded), 0.0, bounded).astype(np.float32), num_beyond
