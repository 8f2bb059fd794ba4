"""What `recplat doctor` looks at, and the looking. The judging is in `checks.py`."""

import os
import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from recplat.doctor.probe import Probe, probe_lookup
from recplat.plan.machine import Cpu, Gpu, find_cpu, find_gpus, host_memory_bytes
from recplat.spec.paths import STATE_FOLDER, project_root

#: Distribution names; torch's own set first, then what torchrec needs, then the extras.
PACKAGES = (
    *("torch", "torchrec", "fbgemm-gpu", "fbgemm-gpu-cpu"),
    *("tensordict", "torchmetrics", "pyre-extensions", "tqdm", "iopath"),
    *("recplat", "numpy", "pyarrow", "msgspec", "mlflow", "matplotlib", "psutil"),
)


class Project(Struct, frozen=True, kw_only=True):
    """Where runs and the tracking store lie."""

    root: str
    state_folder: str  # the project's `.recplat`, which may not exist yet
    state_bytes: int
    is_writable: bool
    free_disk_bytes: int  # on the state folder's file system


class Facts(Struct, frozen=True, kw_only=True):
    python: str
    executable: str
    platform: str
    cpu: Cpu
    memory_bytes: int  # of the machine, or of the container where that is less
    gpus: tuple[Gpu, ...]
    packages: dict[str, str | None]  # distribution -> version; None: not installed
    torch_cuda: str | None  # CUDA version that torch was built for; None: a CPU build, or no torch
    project: Project
    probe: Probe | None  # None: not tried


def gather(directory: Path, *, with_probe: bool) -> Facts:
    """Look at this machine and at the project around `directory`. The probe imports torch in a child: 5 to 30 s."""
    packages = {name: _version(name) for name in PACKAGES}
    return Facts(
        python=platform.python_version(),
        executable=sys.executable,
        platform=f"{platform.system()} {platform.machine()}",
        cpu=find_cpu(),
        memory_bytes=host_memory_bytes(),
        gpus=find_gpus(),
        packages=packages,
        torch_cuda=_torch_cuda() if packages["torch"] else None,
        project=_project(directory),
        probe=probe_lookup() if with_probe else None,
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _torch_cuda() -> str | None:
    """From torch's `version.py`, read as text: importing torch takes seconds and may be what is broken."""
    for file in metadata.files("torch") or ():
        if file.as_posix() == "torch/version.py":
            path = Path(str(file.locate()))
            lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
            value = next((line.partition("=")[2].strip() for line in lines if line.startswith("cuda")), "None")
            return None if value == "None" else value.strip("'\"")
    return None


def _project(directory: Path) -> Project:
    root = project_root(directory)
    state = root / STATE_FOLDER
    existing = state if state.is_dir() else root
    return Project(
        root=str(root),
        state_folder=str(state),
        state_bytes=sum(path.stat().st_size for path in state.rglob("*") if path.is_file() and not path.is_symlink()),
        is_writable=os.access(existing, os.W_OK | os.X_OK),
        free_disk_bytes=shutil.disk_usage(existing).free,
    )
