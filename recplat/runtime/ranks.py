"""The process group that a rank belongs to, and small exchanges between ranks."""

import os
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from msgspec import Struct

#: How long a collective may wait for a rank that is slow to read, evaluate or write before the run fails.
TIMEOUT = timedelta(minutes=30)


class Ranks(Struct, frozen=True, kw_only=True):
    """This rank and its group. `control` exchanges values in host memory; with CUDA, `group` is NCCL's."""

    rank: int
    world_size: int
    device: torch.device
    group: Any  # dist.ProcessGroup
    control: Any

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def sum(self, values: list[float]) -> list[float]:
        """The sums over ranks, in float64."""
        if self.world_size == 1:
            return values
        totals = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(totals, group=self.control)
        return [float(total) for total in totals.tolist()]

    def gather(self, part_N: torch.Tensor) -> list[torch.Tensor]:
        """Every rank's tensor on the first rank, nothing on the others. N may differ; tensors are in host memory."""
        if self.world_size == 1:
            return [part_N]
        sizes = [torch.zeros(1, dtype=torch.int64) for _ in range(self.world_size)]
        dist.all_gather(sizes, torch.tensor([len(part_N)]), group=self.control)
        lengths = [int(size) for size in sizes]
        padded = torch.zeros(max(lengths), dtype=part_N.dtype)
        padded[: len(part_N)] = part_N
        parts = [torch.empty_like(padded) for _ in lengths] if self.is_first else None
        dist.gather(padded, parts, dst=0, group=self.control)
        return [part[:length] for part, length in zip(parts or [], lengths, strict=False)]

    def barrier(self) -> None:
        if self.world_size > 1:
            dist.barrier(group=self.control)


def join_ranks(device_type: str) -> Ranks:
    """Join the group that torchrun's environment describes; a single process needs no environment."""
    rank, world_size = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    if device_type == "cuda":
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
    else:
        device = torch.device("cpu")
    backend = "nccl" if device_type == "cuda" else "gloo"
    if "MASTER_ADDR" in os.environ:
        dist.init_process_group(backend, timeout=TIMEOUT)
    else:
        dist.init_process_group(backend, store=_lonely_store(), rank=0, world_size=1, timeout=TIMEOUT)
    group = dist.group.WORLD
    control = dist.new_group(backend="gloo", timeout=TIMEOUT) if backend == "nccl" else group
    return Ranks(rank=rank, world_size=world_size, device=device, group=group, control=control)


def _lonely_store() -> Any:
    return dist.HashStore()  # type: ignore[attr-defined]
