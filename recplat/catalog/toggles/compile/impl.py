"""`torch.compile` of the dense part."""

from typing import Any

import torch


def compile_dense(dense: torch.nn.Module, settings: dict[str, Any]) -> Any:
    """A callable that runs `dense` compiled; parameters stay where they are.

    Batches of another size, such as the last one of an epoch, are run uncompiled by the caller.
    """
    return torch.compile(dense, mode=settings["preset"], fullgraph=settings["fullgraph"], dynamic=False)
