"""A metric of somebody's own."""

from recplat.lang import kinds


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="no_compute"):
    """Nothing to choose."""

    higher_is_better = True

    def metric_name(self) -> str:
        return "no_compute"
