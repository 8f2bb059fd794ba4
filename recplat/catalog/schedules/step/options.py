"""`schedule: {type: step}`."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Schedule, frozen=True, kw_only=True, tag="step"):
    """Multiplies the learning rates by `factor` at each milestone, after a straight rise from 0 where asked for."""

    milestones: Annotated[
        tuple[int, ...], doc("Steps from which the rate is lower, in rising order.", [20_000, 40_000], min_length=1)
    ]
    decay: Annotated[float, doc("What the rate is multiplied by at each milestone; 0 stops learning.", 0.1, ge=0)] = 0.1
    warmup_steps: Annotated[int, doc("Steps of the rise; step `warmup_steps` has the full rate.", 500, ge=0)] = 0

    def faults(self) -> Iterator[kinds.Fault]:
        if any(later <= earlier for earlier, later in pairwise((0, *self.milestones))):
            yield kinds.Fault(
                code="milestones-not-rising",
                field="milestones",
                message=f"milestones must be above 0 and rise, these are {list(self.milestones)}",
                help=f"write {sorted({step for step in self.milestones if step > 0})}",
            )

    def factor(self, step: int, num_steps: int | None) -> float:
        if step < self.warmup_steps:
            return step / self.warmup_steps
        return float(self.decay ** sum(step >= milestone for milestone in self.milestones))
