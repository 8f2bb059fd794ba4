"""`transform: minmax`."""

from recplat.lang import kinds


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="minmax"):
    """(x - min) / (max - min), both of the training rows. A column of one value gives 0.0.

    Later rows may fall outside of 0..1; put `{type: clip, min: 0, max: 1}` behind it where that matters.
    """

    takes = ("number",)
    gives = "number"
    needs = "moments"
