"""`transform: zscore`."""

from recplat.lang import kinds


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="zscore"):
    """(x - mean) / standard deviation, both of the training rows. A column of one value gives 0.0."""

    takes = ("number",)
    gives = "number"
    needs = "moments"
