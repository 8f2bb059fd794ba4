"""Second-order factorisation. Source: Rendle, "Factorization Machines", ICDM 2010."""

import torch
from torch import Tensor, nn


class FactorizationMachine(nn.Module):
    """The sum of the dot products of all pairs of vectors, `[B]`, in time linear in their number.

    The vectors are the F embeddings and, for each dense feature, its value times a vector of its own.
    """

    def __init__(self, num_dense: int, dim: int) -> None:
        super().__init__()
        self.vectors_DK = nn.Parameter(torch.empty(num_dense, dim)) if num_dense else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if self.vectors_DK is not None:
            nn.init.normal_(self.vectors_DK, std=0.01)

    def forward(self, dense_BD: Tensor, embeddings_BFK: Tensor) -> Tensor:
        # Σ_{i<j} v_i·v_j = (|Σ v_i|² - Σ |v_i|²) / 2
        sum_BK = embeddings_BFK.sum(1)
        squares_B = embeddings_BFK.square().sum((1, 2))
        if self.vectors_DK is not None:
            sum_BK = sum_BK + dense_BD @ self.vectors_DK
            squares_B = squares_B + dense_BD.square() @ self.vectors_DK.square().sum(1)
        return 0.5 * (sum_BK.square().sum(1) - squares_B)
