"""Torch layers that models share. All take and give plain tensors and can be traced by `torch.compile` and FX.

Axes: B rows of the batch, D dense features, E columns of the concatenated lookups, F bags, K columns of an embedding,
N inputs of a layer.
"""

from recplat.nn.bags import FlatBags, StackedBags
from recplat.nn.cross import CrossNetwork
from recplat.nn.factorization import FactorizationMachine
from recplat.nn.initialize import initialize, seed_of
from recplat.nn.interaction import DotInteraction
from recplat.nn.linear_terms import LinearTerms
from recplat.nn.mlp import MLP

__all__ = [
    "MLP",
    "CrossNetwork",
    "DotInteraction",
    "FactorizationMachine",
    "FlatBags",
    "LinearTerms",
    "StackedBags",
    "initialize",
    "seed_of",
]
