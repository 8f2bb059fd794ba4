"""What this machine has, found without torch."""

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import Literal

from recplat.lang.shapes import Device
from recplat.lang.units import parse_bytes
from recplat.spec.types import Resources, Spec

_BF16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})  # the last is Arm's


def local_device(resources: Resources) -> Device:
    """The device that a rank of a local run gets."""
    kind = resources.device if resources.device != "auto" else _device_type()
    num_ranks = resources.nodes * resources.ranks_per_node
    cpus = resources.cpus_per_rank or max(1, len(os.sched_getaffinity(0)) // resources.ranks_per_node)
    return Device(
        type=kind,
        num_ranks=num_ranks,
        cpus_per_rank=cpus,
        has_native_bf16=has_native_bf16(),
        capability=_cuda_capability() if kind == "cuda" else None,
        has_compiler=any(shutil.which(name) for name in (os.environ.get("CXX", "g++"), "clang++")),
    )


def memory_per_rank(spec: Spec, device: Device) -> int | None:
    """Bytes that a rank may fill: what the spec says, else what this machine has; None where that can't be known."""
    named = spec.sharding.hbm_per_rank if device.type == "cuda" else spec.sharding.host_memory_per_rank
    if named is not None:
        return parse_bytes(named)
    return hbm_bytes() if device.type == "cuda" else host_memory_bytes() // spec.resources.ranks_per_node


def host_memory_bytes() -> int:
    """Physical memory, or the control group's limit where that is less."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.is_file() and (text := limit.read_text().strip()).isdigit():
        return min(total, int(text))
    return total


@functools.cache
def has_native_bf16() -> bool:
    """Whether the CPU multiplies bf16 itself; elsewhere it is slower than fp32."""
    info = Path("/proc/cpuinfo")
    if not info.is_file():
        return False
    for line in info.read_text().splitlines():
        if line.startswith(("flags", "Features")):
            return not _BF16_FLAGS.isdisjoint(line.split(":", 1)[1].split())
    return False


def _device_type() -> Literal["cpu", "cuda"]:
    return "cuda" if Path("/dev/nvidia0").exists() else "cpu"


def _cuda_capability() -> tuple[int, int] | None:
    text = _ask_nvidia_smi("compute_cap")
    major, _, minor = (text or "").partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None


def hbm_bytes() -> int | None:
    """Memory of the first GPU, None where it can't be asked."""
    text = _ask_nvidia_smi("memory.total")
    return int(text) * 2**20 if text and text.isdigit() else None


def _ask_nvidia_smi(field: str) -> str | None:
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    command = [program, f"--query-gpu={field}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    return done.stdout.splitlines()[0].strip() if done.stdout.strip() else None
