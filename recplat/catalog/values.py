"""What features and transforms hand on: keys, numbers or ids of one feature, all rows of a batch at once.

Legend: N values, B rows. A feature with lists has N values for its B rows, cut by `offsets`; others have N = B.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

#: Numbers, NaN where one is missing, none infinite, none beyond what float32 can hold.
Numbers = NDArray[np.float64]
#: Ids of table rows: 0 missing, 1 unknown.
Ids = NDArray[np.int64]

_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys, each distinct one held once, so that what is done to a key is done once for each distinct one.

    distinct: string, int64 or uint64, without nulls; a key may stand in it more than once.
    codes_N: index into `distinct`, -1 where the key is missing.
    """

    distinct: pa.Array
    codes_N: NDArray[np.int32]

    def spread(self, per_distinct: NDArray[_Scalar], missing: int) -> NDArray[_Scalar]:
        """One value for each key, given one for each distinct key and one for a missing key; shape [N]."""
        # Code -1 picks the last element.
        return np.append(per_distinct, np.asarray([missing], per_distinct.dtype))[self.codes_N]

    def first_index(self, is_wanted: NDArray[np.bool_]) -> int:
        """The first position of a distinct key that is marked; at least one must be."""
        return int(np.flatnonzero(self.spread(is_wanted, 0))[0])


Values = Keys | Numbers | Ids


@dataclass(frozen=True, slots=True)
class Flat:
    """A feature's values before its transforms. `offsets`: shape [B + 1], int64; None where each row has one value."""

    values: Keys | Numbers
    offsets: NDArray[np.int64] | None
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def num_values(self) -> int:
        return count(self.values)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a transform gives, and how often what happened: "unknown", "clipped", …"""

    values: Any  # Keys | Numbers | Ids; who calls knows which from the transform's `gives`
    counts: Mapping[str, int] = field(default_factory=dict)


class BadValue(ValueError):
    """A value that a declared policy refuses. `index`: its position in the array that was given."""

    def __init__(self, code: str, index: int, message: str, help: str) -> None:
        super().__init__(message)
        self.code = code
        self.index = index
        self.message = message
        self.help = help


class UnfitType(ValueError):
    """A column whose type the feature can't read."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


def count(values: Values) -> int:
    return len(values.codes_N) if isinstance(values, Keys) else len(values)
