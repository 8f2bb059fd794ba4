"""Uniform initial weights."""

import torch

from recplat.catalog.initializers.uniform.options import Options


def fill(options: Options, block_RD: torch.Tensor, generator: torch.Generator) -> None:
    """Fill a block of rows in place from a generator on the same device."""
    block_RD.uniform_(-options.bound, options.bound, generator=generator)
