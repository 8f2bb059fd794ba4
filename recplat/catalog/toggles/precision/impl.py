"""Number formats of the dense part's matrix products."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import torch

_AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}


def products(dtype: str, device_type: str) -> Callable[[], AbstractContextManager[object]]:
    """Makes the context in which the dense part runs forward in training."""
    if dtype in _AUTOCAST:
        return lambda: torch.autocast(device_type, dtype=_AUTOCAST[dtype])
    return contextlib.nullcontext


@contextlib.contextmanager
def tf32(dtype: str) -> Iterator[None]:
    """While training: fp32 products of a GPU in tf32 where asked for."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if dtype == "tf32" else "highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


class LossScale:
    """Keeps fp16 gradients in range: the loss is multiplied by `scale`, gradients are divided by it.

    After an overflow the scale is halved and the step skipped; after `INTERVAL` steps without one it doubles.
    """

    INTERVAL = 2000

    def __init__(self, scale: float = 65536.0, good_steps: int = 0) -> None:
        self.scale = scale
        self.good_steps = good_steps

    def update(self, finite: bool) -> None:
        if not finite:
            self.scale, self.good_steps = max(self.scale / 2, 1.0), 0
            return
        self.good_steps += 1
        if self.good_steps == self.INTERVAL:
            self.scale, self.good_steps = self.scale * 2, 0

    def unscale_lookups(self, grad_BE: torch.Tensor) -> torch.Tensor:
        """The gradient that reaches the tables: unscaled, or 0 where this rank's part overflowed."""
        return torch.where(grad_BE.isfinite().all(), grad_BE / self.scale, 0.0)
