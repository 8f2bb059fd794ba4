"""`dense_optimizer: {type: sgd}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.DenseOptimizer, frozen=True, kw_only=True, tag="sgd"):
    """Stochastic gradient descent, with momentum where asked for (`torch.optim.SGD`)."""

    learning_rate: Annotated[float, doc("Learning rate before the schedule's factor.", 0.1, gt=0)] = 0.1
    momentum: Annotated[float, doc("Share of the last update that is kept, 0 to below 1.", 0.9, ge=0, lt=1)] = 0.0
    weight_decay: Annotated[float, doc("L2 penalty: this times the weight is added to the gradient.", 1e-5, ge=0)] = 0.0

    def state_bytes(self, num_parameters: int) -> int:
        return 4 * num_parameters if self.momentum > 0 else 0
