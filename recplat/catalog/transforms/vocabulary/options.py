"""`transform: vocabulary`."""

from collections.abc import Iterator
from typing import Annotated, Literal

from recplat.lang import kinds
from recplat.lang.fields import Count, doc
from recplat.lang.kinds import Fault
from recplat.lang.statistics import NUM_RESERVED_IDS, TransformStatistics


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="vocabulary"):
    """A key's place in the list of the keys of the training rows, the most frequent first, equals by value.

    A missing key gets id 0, a key outside the vocabulary id 1, the first known key id 2.
    """

    takes = ("key",)
    gives = "id"
    needs = "vocabulary"

    min_count: Annotated[int, doc("Times a key must occur in the training rows to get an id of its own.", 5, ge=1)] = 1
    max_size: Annotated[Count | None, doc("Most keys that get an id of their own; by default all.", 1_000_000)] = None
    unknown: Annotated[
        Literal["oov", "error"],
        doc("A key outside the vocabulary: `oov` gives it id 1 and counts it, `error` refuses the row."),
    ] = "oov"

    def num_rows(self, statistics: TransformStatistics | None) -> int | None:
        if statistics is None or statistics.vocabulary is None:
            return None
        return statistics.vocabulary.num_values + NUM_RESERVED_IDS

    def faults(self) -> Iterator[Fault]:
        if self.unknown == "error" and (self.min_count > 1 or self.max_size is not None):
            cut = f"min_count: {self.min_count}" if self.min_count > 1 else f"max_size: {self.max_size}"
            yield Fault(
                code="transform-contradiction",
                field="unknown",
                message=f"`unknown: error` would refuse the training rows whose keys `{cut}` leaves out",
                help=f"write `unknown: oov`, or remove `{cut}`",
            )
