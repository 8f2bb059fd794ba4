"""SGD of the dense part."""

from collections.abc import Iterable

import torch

from recplat.catalog.dense_optimizers.sgd.options import Options


def build(options: Options, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
    return torch.optim.SGD(
        parameters, lr=options.learning_rate, momentum=options.momentum, weight_decay=options.weight_decay
    )
