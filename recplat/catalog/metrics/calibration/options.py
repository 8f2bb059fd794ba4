"""`metrics: [calibration]`."""

from typing import ClassVar

from recplat.lang import kinds


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="calibration"):
    """Mean predicted probability divided by the share of positive rows; 1 is right on average.

    Undefined where no row is positive. It can't choose the best checkpoint: neither higher nor lower is better.
    """

    higher_is_better: ClassVar[bool | None] = None

    def metric_name(self) -> str:
        return "calibration"
