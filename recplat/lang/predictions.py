"""What a metric is computed from: every row of a part, gathered from all ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32] | NDArray[np.float64]


class Predictions(Struct, frozen=True, kw_only=True, eq=False):
    """All rows of a part, in any order. N: rows; a part may have none.

    `logits_N` may hold NaN or infinities where training diverged: a metric that has no meaning then is None.
    """

    logits_N: Floats
    labels_N: Floats  # 0.0 or 1.0
    weights_N: Floats | None = None  # >= 0; None: every row counts 1
    groups: dict[str, NDArray[np.int64]] = field(default_factory=dict)  # column -> a number for each distinct value
