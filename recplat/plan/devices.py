"""The device that a rank of a local run gets, and the memory that it may fill."""

import os
import shutil
from pathlib import Path
from typing import Literal

from recplat.lang.shapes import Device
from recplat.lang.units import parse_bytes
from recplat.plan.machine import find_cpu, find_gpus, host_memory_bytes
from recplat.spec.types import Resources, Spec


def local_device(resources: Resources) -> Device:
    """The device that a rank of a local run gets."""
    kind = resources.device if resources.device != "auto" else _device_type()
    num_ranks = resources.nodes * resources.ranks_per_node
    cpu = find_cpu()
    cpus = resources.cpus_per_rank or max(1, cpu.num_cores // resources.ranks_per_node)
    return Device(
        type=kind,
        num_ranks=num_ranks,
        cpus_per_rank=cpus,
        has_native_bf16=cpu.has_native_bf16,
        capability=_cuda_capability() if kind == "cuda" else None,
        has_compiler=any(shutil.which(name) for name in (os.environ.get("CXX", "g++"), "clang++")),
    )


def memory_per_rank(spec: Spec, device: Device) -> int | None:
    """Bytes that a rank may fill: what the spec says, else what this machine has; None where that can't be known."""
    named = spec.sharding.hbm_per_rank if device.type == "cuda" else spec.sharding.host_memory_per_rank
    if named is not None:
        return parse_bytes(named)
    if device.type == "cuda":
        return min((gpu.memory_bytes for gpu in find_gpus()), default=None)
    return host_memory_bytes() // spec.resources.ranks_per_node


def _device_type() -> Literal["cpu", "cuda"]:
    return "cuda" if Path("/dev/nvidia0").exists() else "cpu"


def _cuda_capability() -> tuple[int, int] | None:
    gpus = find_gpus()
    major, _, minor = gpus[0].capability.partition(".") if gpus else ("", "", "")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None
