"""Normal initial weights."""

import torch

from recplat.catalog.initializers.normal.options import Options


def fill(options: Options, block_RD: torch.Tensor, generator: torch.Generator) -> None:
    """Fill a block of rows in place from a generator on the same device."""
    block_RD.normal_(0.0, options.std, generator=generator)
