"""A model of somebody's own."""

from recplat.lang import kinds


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="no_module"):
    """Nothing to choose."""
