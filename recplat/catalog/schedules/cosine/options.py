"""`schedule: {type: cosine}`."""

import math
from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Schedule, frozen=True, kw_only=True, tag="cosine"):
    """Falls from 1 to `final_factor` along half a cosine over all steps, after a straight rise from 0 if asked for."""

    warmup_steps: Annotated[int, doc("Steps of the rise; step `warmup_steps` has the full rate.", 500, ge=0)] = 0
    final_factor: Annotated[float, doc("Factor that the last step comes close to.", 0.01, ge=0, le=1)] = 0.0

    def factor(self, step: int, num_steps: int | None) -> float:
        """The factor of `step`.

        Raises:
            ValueError: `num_steps` is not known; the data's statistics say it.
        """
        if num_steps is None:
            raise ValueError("`cosine` needs the number of steps, which comes with the data's statistics")
        if step < self.warmup_steps:
            return step / self.warmup_steps
        progress = min((step - self.warmup_steps) / max(num_steps - self.warmup_steps, 1), 1.0)
        return self.final_factor + (1.0 - self.final_factor) * (1.0 + math.cos(math.pi * progress)) / 2
