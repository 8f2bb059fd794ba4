"""Initial values that depend on the seed and the layer's name alone, not on the order in which layers are made."""

import hashlib

import torch
from torch import nn


def initialize(module: nn.Module, seed: int) -> None:
    """Give every parameter of `module` its initial value, the same at any world size.

    Each layer that owns parameters fills them in its own `reset_parameters()`, the custom in PyTorch, with torch's
    random numbers seeded by `seed` and the layer's name in `module`. Values are drawn on the parameters' device: call
    it while they are on the CPU for the same values on every kind of device. Torch's random state stays as it was.

    Raises:
        ValueError: a layer owns parameters and has no `reset_parameters()`.
    """
    for name, layer in module.named_modules():
        own = next(layer.parameters(recurse=False), None)
        if own is None:
            continue
        # Some of torch's own layers, MultiheadAttention for one, spell it with an underscore.
        reset = getattr(layer, "reset_parameters", None) or getattr(layer, "_reset_parameters", None)
        if reset is None:
            raise ValueError(
                f"`{type(layer).__qualname__}` at `{name or 'the top'}` owns parameters but can't fill them: "
                "give it a method `reset_parameters(self)`"
            )
        with torch.random.fork_rng(devices=[own.device] if own.is_cuda else []):
            torch.manual_seed(seed_of(seed, name))
            reset()


def seed_of(seed: int, name: str) -> int:
    """A seed in 0 .. 2^63 - 1 for the layer or table of that name."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=8).digest(), "little") >> 1
