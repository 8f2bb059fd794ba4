"""`dense_optimizer: {type: adagrad}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.DenseOptimizer, frozen=True, kw_only=True, tag="adagrad"):
    """Adagrad: each weight's rate falls with the squares of its gradients so far (`torch.optim.Adagrad`)."""

    learning_rate: Annotated[float, doc("Learning rate before the schedule's factor.", 0.01, gt=0)] = 0.01
    eps: Annotated[float, doc("Added to the root of the sum of squares.", 1e-10, gt=0)] = 1e-10
    weight_decay: Annotated[float, doc("L2 penalty: this times the weight is added to the gradient.", 1e-5, ge=0)] = 0.0

    def state_bytes(self, num_parameters: int) -> int:
        return 4 * num_parameters
