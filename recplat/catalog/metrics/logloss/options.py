"""`metrics: [logloss]`."""

from typing import ClassVar

from recplat.lang import kinds


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="logloss"):
    """Mean binary cross-entropy, in nats per row."""

    higher_is_better: ClassVar[bool | None] = False

    def metric_name(self) -> str:
        return "logloss"
