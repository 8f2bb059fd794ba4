"""`dense_optimizer: {type: adamw}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.DenseOptimizer, frozen=True, kw_only=True, tag="adamw"):
    """Adam with weight decay kept apart from the gradient (`torch.optim.AdamW`)."""

    learning_rate: Annotated[float, doc("Learning rate before the schedule's factor.", 0.001, gt=0)] = 0.001
    beta1: Annotated[float, doc("Decay of the gradient's running mean, per step.", 0.9, ge=0, lt=1)] = 0.9
    beta2: Annotated[float, doc("Decay of its square's running mean, per step.", 0.999, ge=0, lt=1)] = 0.999
    eps: Annotated[float, doc("Added to the root of the mean square.", 1e-8, gt=0)] = 1e-8
    weight_decay: Annotated[
        float,
        doc("Each step takes learning rate x this x the weight off the weight, apart from the gradient.", 0.01, ge=0),
    ] = 0.01

    def state_bytes(self, num_parameters: int) -> int:
        return 8 * num_parameters
