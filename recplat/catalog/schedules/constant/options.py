"""`schedule: {type: constant}`."""

from recplat.lang import kinds


class Options(kinds.Options, kinds.Schedule, frozen=True, kw_only=True, tag="constant"):
    """The learning rates stay as they are."""

    def factor(self, step: int, num_steps: int | None) -> float:
        return 1.0
