"""The torch side, imported by the ranks alone.

Axes: B rows of the batch, D dense features, E columns of the lookups, W width of a tower's vector.
"""

import torch
from torch import Tensor, nn

from recplat.lang.shapes import BagShape, ModelInputs

from .options import Options


class Toy(nn.Module):
    def __init__(self, options: Options, inputs: ModelInputs) -> None:
        super().__init__()
        self.query_slices = _slices(options.query_bags(inputs))
        self.item_slices = _slices(options.item_bags(inputs))
        self.query = nn.Linear(inputs.num_dense + _width(self.query_slices), options.width)
        self.item = nn.Linear(_width(self.item_slices), options.width)
        self.bias = nn.Parameter(torch.zeros(()))

    def reset_parameters(self) -> None:
        """Initial values of the parameters that are this layer's own; torch's layers bring such a method."""
        nn.init.zeros_(self.bias)

    def forward(self, dense_BD: Tensor, pooled_BE: Tensor) -> Tensor:
        """Logits, `[B]`: no sigmoid, the loss applies it."""
        query_BW = self.query(torch.cat([dense_BD, *(pooled_BE[:, columns] for columns in self.query_slices)], dim=1))
        item_BW = self.item(torch.cat([pooled_BE[:, columns] for columns in self.item_slices], dim=1))
        return (query_BW * item_BW).sum(1) + self.bias


def build(options: Options, inputs: ModelInputs) -> nn.Module:
    return Toy(options, inputs)


def _slices(bags: list[BagShape]) -> list[slice]:
    """The columns of each bag's embedding: all lookups come as one tensor, padding included."""
    return [slice(bag.offset, bag.offset + bag.dim) for bag in bags]


def _width(slices: list[slice]) -> int:
    return sum(columns.stop - columns.start for columns in slices)
