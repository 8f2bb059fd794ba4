"""The `row_wise_adagrad` update of tables: inside the backward pass, and after it for dense kernels."""

from collections.abc import Iterable
from typing import Any

import torch
from fbgemm_gpu.split_embedding_configs import EmbOptimType
from torchrec.optim import RowWiseAdagrad

from recplat.catalog.embedding_optimizers.row_wise_adagrad.options import Options


def fused_params(options: Options) -> dict[str, Any]:
    """What FBGEMM's table-batched embedding is made with, the learning rate aside."""
    return {"optimizer": EmbOptimType.EXACT_ROWWISE_ADAGRAD, "eps": options.eps}


def build(options: Options, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
    optimizer: torch.optim.Optimizer = RowWiseAdagrad(parameters, lr=options.learning_rate, eps=options.eps)
    return optimizer
