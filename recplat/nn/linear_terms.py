"""First-order terms: one weight for each id and each dense feature."""

import torch
from torch import Tensor, nn


class LinearTerms(nn.Module):
    """Sum of the ids' first-order weights, of the dense features times their weights, and a bias: `[B]`."""

    def __init__(self, num_dense: int) -> None:
        super().__init__()
        self.weight_D = nn.Parameter(torch.empty(num_dense)) if num_dense else None
        self.bias = nn.Parameter(torch.empty(()))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Zeros: a linear model has no symmetry to break."""
        for parameter in self.parameters():
            nn.init.zeros_(parameter)

    def forward(self, dense_BD: Tensor, first_order_BF: Tensor | None) -> Tensor:
        """`first_order_BF`: the ids' weights, None where there are no bags."""
        total_B = self.bias.expand(dense_BD.shape[0])
        if self.weight_D is not None:
            total_B = total_B + dense_BD @ self.weight_D
        return total_B if first_order_BF is None else total_B + first_order_BF.sum(1)
