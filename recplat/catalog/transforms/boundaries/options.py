"""`transform: {type: boundaries, at: [18, 25, 35]}`."""

from collections.abc import Iterator
from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.kinds import Fault
from recplat.lang.statistics import NUM_RESERVED_IDS, TransformStatistics


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="boundaries"):
    """The bucket that a number falls into. A number at a boundary belongs to the bucket above it.

    A missing number gets id 0, one below the first boundary id 2, one at or above the last the highest id.
    """

    takes = ("number",)
    gives = "id"

    at: Annotated[
        tuple[float, ...],
        doc("Where one bucket ends and the next begins, ascending.", [18, 25, 35], min_length=1, max_length=100_000),
    ]

    def num_rows(self, statistics: TransformStatistics | None) -> int | None:
        return len(self.at) + 1 + NUM_RESERVED_IDS

    def faults(self) -> Iterator[Fault]:
        for index, (low, high) in enumerate(zip(self.at, self.at[1:], strict=False)):
            if not low < high:
                yield Fault(
                    code="boundaries-not-ascending",
                    field=f"at.{index + 1}",
                    message=f"boundary {high:g} does not lie above {low:g}, the one before it",
                    help="sort the boundaries and write each once",
                )
                return
