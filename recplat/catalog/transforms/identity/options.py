"""`transform: {type: identity, num_ids: 1000}`."""

from typing import Annotated, Literal

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.statistics import NUM_RESERVED_IDS, TransformStatistics


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="identity"):
    """For keys that are numbered already, from 0 to `num_ids` - 1. Key v is id v + 2, a missing one id 0."""

    takes = ("key",)
    gives = "id"
    integer_keys = True

    num_ids: Annotated[int, doc("Keys; the table gets two rows more.", 1000, ge=1, le=2**40)]
    out_of_range: Annotated[
        Literal["error", "oov", "modulo"],
        doc(
            "A key below 0 or from `num_ids` on: `error` refuses the row, `oov` gives it id 1, `modulo` takes the "
            "remainder of its division by `num_ids`; the last two count it."
        ),
    ] = "error"

    def num_rows(self, statistics: TransformStatistics | None) -> int | None:
        return self.num_ids + NUM_RESERVED_IDS
