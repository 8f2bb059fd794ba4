"""`dense_optimizer: {type: adam}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.DenseOptimizer, frozen=True, kw_only=True, tag="adam"):
    """Adam: rates from running means of the gradient and its square (`torch.optim.Adam`)."""

    learning_rate: Annotated[float, doc("Learning rate before the schedule's factor.", 0.001, gt=0)] = 0.001
    beta1: Annotated[float, doc("Decay of the gradient's running mean, per step.", 0.9, ge=0, lt=1)] = 0.9
    beta2: Annotated[float, doc("Decay of its square's running mean, per step.", 0.999, ge=0, lt=1)] = 0.999
    eps: Annotated[float, doc("Added to the root of the mean square.", 1e-8, gt=0)] = 1e-8
    weight_decay: Annotated[float, doc("L2 penalty: this times the weight is added to the gradient.", 1e-5, ge=0)] = 0.0

    def state_bytes(self, num_parameters: int) -> int:
        return 8 * num_parameters
