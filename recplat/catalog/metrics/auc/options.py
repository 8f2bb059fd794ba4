"""`metrics: [auc]`."""

from typing import ClassVar

from recplat.lang import kinds


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="auc"):
    """Area under the ROC curve: how likely a positive row scores above a negative one; a tie counts half.

    Exact, over all rows of a part. Undefined where all rows are of one class.
    """

    higher_is_better: ClassVar[bool | None] = True

    def metric_name(self) -> str:
        return "auc"
