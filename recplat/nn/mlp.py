"""A stack of fully connected layers."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from recplat.lang.layers import ActivationName

# ReLU works in place: the linear layer before it keeps its input, not its output, so nothing is lost.
_ACTIVATIONS: dict[ActivationName, Callable[[], nn.Module]] = {
    "relu": lambda: nn.ReLU(inplace=True),
    "leaky_relu": lambda: nn.LeakyReLU(0.01, inplace=True),
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "tanh": nn.Tanh,
}


class MLP(nn.Sequential):
    """Hidden layers, each linear, normalised, activated, dropped out; then a plain linear layer if `num_outputs`.

    Takes `[B, num_inputs]`, gives `[B, num_outputs]`, or the last hidden layer's `[B, units[-1]]`. Without hidden
    layers and outputs it gives its input.
    """

    def __init__(
        self,
        num_inputs: int,
        units: Sequence[int],
        *,
        num_outputs: int | None = None,
        activation: ActivationName = "relu",
        dropout: float = 0.0,
        batch_norm: bool = False,
    ) -> None:
        layers: list[nn.Module] = []
        for before, after in zip([num_inputs, *units], units, strict=False):
            layers.append(nn.Linear(before, after))
            if batch_norm:
                layers.append(BatchNorm(after))
            layers.append(_ACTIVATIONS[activation]())
            if dropout > 0:
                layers.append(nn.Dropout(dropout))
        self.width = [num_inputs, *units][-1]
        if num_outputs is not None:
            layers.append(nn.Linear(self.width, num_outputs))
            self.width = num_outputs
        super().__init__(*layers)


class BatchNorm(nn.BatchNorm1d):
    """`nn.BatchNorm1d` that also takes a batch of one row or none.

    A rank's last batch may be that small. Such a batch has no variance, so it is normalised like in evaluation.
    """

    def forward(self, x_BN: Tensor) -> Tensor:
        return _batch_norm(
            x_BN, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps
        )


@torch.fx.wrap
def _batch_norm(
    x_BN: Tensor,
    mean_N: Tensor | None,
    variance_N: Tensor | None,
    weight_N: Tensor,
    bias_N: Tensor,
    training: bool,
    momentum: float | None,
    eps: float,
) -> Tensor:
    assert momentum is not None
    return F.batch_norm(x_BN, mean_N, variance_N, weight_N, bias_N, training and x_BN.shape[0] > 1, momentum, eps)
