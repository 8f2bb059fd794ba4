"""Cores, memory and GPUs of this machine, found without torch."""

import os
import platform
import subprocess
from pathlib import Path

from msgspec import Struct

from recplat.plan.devices import has_native_bf16

_NVIDIA_SMI_TIMEOUT_S = 20


class Cpu(Struct, frozen=True, kw_only=True):
    name: str
    num_cores: int  # that this process may use
    has_avx512: bool
    has_native_bf16: bool


class Gpu(Struct, frozen=True, kw_only=True):
    name: str
    memory_bytes: int
    capability: str  # CUDA compute capability, such as "9.0"
    driver: str


def find_cpu(cpuinfo: Path = Path("/proc/cpuinfo")) -> Cpu:
    """Without a `cpuinfo` (not Linux) the name is the architecture's and no feature is known."""
    name, flags = platform.machine(), frozenset[str]()
    if cpuinfo.is_file():
        fields: dict[str, str] = {}
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            fields.setdefault(key.strip(), value.strip())
        name = fields.get("model name", name)
        flags = frozenset(fields.get("flags", "").split())
    return Cpu(
        name=name,
        num_cores=_num_cores(),
        has_avx512="avx512f" in flags,
        has_native_bf16=has_native_bf16(),
    )


def find_gpus() -> tuple[Gpu, ...]:
    """What `nvidia-smi` lists; nothing where there is no such program or it fails, since then CUDA can't work."""
    query = "name,memory.total,compute_cap,driver_version"
    command = ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_NVIDIA_SMI_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(_gpu(line) for line in answer.stdout.splitlines() if line.count(",") >= 3)


def _gpu(line: str) -> Gpu:
    name, mebibytes, capability, driver = (part.strip() for part in line.rsplit(",", 3))
    return Gpu(name=name, memory_bytes=int(mebibytes) * 2**20, capability=capability, driver=driver)


def _num_cores() -> int:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(Path("/sys/fs/cgroup/cpu.max")).partition(" ")
    return min(allowed, max(1, int(quota) // int(period))) if quota.isdigit() and period.isdigit() else allowed


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""
