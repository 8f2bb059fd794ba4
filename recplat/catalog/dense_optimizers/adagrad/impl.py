"""Adagrad of the dense part."""

from collections.abc import Iterable

import torch

from recplat.catalog.dense_optimizers.adagrad.options import Options


def build(options: Options, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
    return torch.optim.Adagrad(parameters, lr=options.learning_rate, eps=options.eps, weight_decay=options.weight_decay)
