"""Cores, memory and GPUs of this machine, found without torch."""

import functools
import os
import platform
import subprocess
from pathlib import Path

from msgspec import Struct

_NVIDIA_SMI_TIMEOUT_S = 20
_BF16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})  # the last is Arm's
_CGROUP = Path("/sys/fs/cgroup")


class Cpu(Struct, frozen=True, kw_only=True):
    name: str
    num_cores: int  # that this process may use
    has_avx512: bool
    has_native_bf16: bool  # multiplies bf16 itself; elsewhere it is slower than fp32


class Gpu(Struct, frozen=True, kw_only=True):
    name: str
    memory_bytes: int
    capability: str  # CUDA compute capability, such as "9.0"
    driver: str


@functools.cache
def find_cpu(cpuinfo: Path = Path("/proc/cpuinfo")) -> Cpu:
    """Without a `cpuinfo` (not Linux) the name is the architecture's and no feature is known."""
    name, flags = platform.machine(), frozenset[str]()
    if cpuinfo.is_file():
        fields: dict[str, str] = {}
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            fields.setdefault(key.strip(), value.strip())
        name = fields.get("model name", name)
        flags = frozenset(fields.get("flags", fields.get("Features", "")).split())  # the latter is Arm's
    return Cpu(
        name=name,
        num_cores=_num_cores(),
        has_avx512="avx512f" in flags,
        has_native_bf16=not _BF16_FLAGS.isdisjoint(flags),
    )


@functools.cache
def find_gpus() -> tuple[Gpu, ...]:
    """What `nvidia-smi` lists; nothing where there is no such program or it fails, since then CUDA can't work."""
    query = "name,memory.total,compute_cap,driver_version"
    command = ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_NVIDIA_SMI_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(_gpu(line) for line in answer.stdout.splitlines() if line.count(",") >= 3)


def host_memory_bytes() -> int:
    """Physical memory, or the control group's limit where that is less."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = _read(_CGROUP / "memory.max")
    return min(total, int(limit)) if limit.isdigit() else total


def _gpu(line: str) -> Gpu:
    name, mebibytes, capability, driver = (part.strip() for part in line.rsplit(",", 3))
    return Gpu(name=name, memory_bytes=int(mebibytes) * 2**20, capability=capability, driver=driver)


def _num_cores() -> int:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(_CGROUP / "cpu.max").partition(" ")
    return min(allowed, max(1, int(quota) // int(period))) if quota.isdigit() and period.isdigit() else allowed


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""
