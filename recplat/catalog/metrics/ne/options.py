"""`metrics: [ne]`."""

from typing import ClassVar

from recplat.lang import kinds


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="ne"):
    """Normalised entropy: log loss divided by that of always predicting the share of positive rows.

    1 is as good as knowing that share alone; lower is better. Undefined where all rows are of one class.
    Source: He et al., "Practical Lessons from Predicting Clicks on Ads at Facebook", ADKDD 2014.
    """

    higher_is_better: ClassVar[bool | None] = False

    def metric_name(self) -> str:
        return "ne"
