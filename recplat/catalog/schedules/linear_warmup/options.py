"""`schedule: {type: linear_warmup}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Schedule, frozen=True, kw_only=True, tag="linear_warmup"):
    """Rises in a straight line from `start_factor` to 1 within `steps`, then stays."""

    steps: Annotated[int, doc("Steps until the full learning rate; step `steps` is the first to have it.", 1000, ge=1)]
    start_factor: Annotated[float, doc("Factor of the first step.", 0.1, ge=0, le=1)] = 0.0

    def factor(self, step: int, num_steps: int | None) -> float:
        return self.start_factor + (1.0 - self.start_factor) * min(step / self.steps, 1.0)
