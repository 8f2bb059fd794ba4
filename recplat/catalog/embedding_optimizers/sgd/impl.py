"""The `sgd` update of tables: inside the backward pass, and after it for dense kernels."""

from collections.abc import Iterable
from typing import Any

import torch
from fbgemm_gpu.split_embedding_configs import EmbOptimType

from recplat.catalog.embedding_optimizers.sgd.options import Options


def fused_params(options: Options) -> dict[str, Any]:
    """What FBGEMM's table-batched embedding is made with, the learning rate aside."""
    return {"optimizer": EmbOptimType.EXACT_SGD}


def build(options: Options, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
    return torch.optim.SGD(parameters, lr=options.learning_rate)
