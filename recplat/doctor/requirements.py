"""Whether the ranks will find their libraries, before a run begins. Nothing is imported: it costs milliseconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from recplat.diagnostics import Diagnostic

#: Modules that ranks import, and the distributions that each may come from.
_MODULES = {
    "torch": ("torch",),
    "torchrec": ("torchrec",),
    "fbgemm_gpu": ("fbgemm-gpu", "fbgemm-gpu-cpu"),
    "tensordict": ("tensordict",),
    "torchmetrics": ("torchmetrics",),
    "pyre_extensions": ("pyre-extensions",),
    "tqdm": ("tqdm",),
    "iopath": ("iopath",),
}


def missing_libraries() -> tuple[Diagnostic, ...]:
    """What `recplat doctor` says of libraries that are not there; nothing where all are."""
    missing = [module for module in _MODULES if find_spec(module) is None]
    return tuple(_told_by_doctor()) or (_without_files(missing),) if missing else ()


def _told_by_doctor() -> Iterator[Diagnostic]:
    # Looking at the whole machine takes a second or more, so only where something is missing.
    from recplat.doctor.checks import has_torch_set, has_torchrec_needs
    from recplat.doctor.facts import gather

    facts = gather(Path.cwd(), with_probe=False)
    for check in (has_torch_set, has_torchrec_needs):
        yield from (found for found in check(facts) if found.code == "package-missing")


def _without_files(modules: list[str]) -> Diagnostic:
    """pip knows of them, yet they can't be found: an installation was cut off, or files were deleted."""
    packages = " ".join(_installed(modules))
    return Diagnostic(
        "package-missing",
        f"installed, but without their files: {', '.join(modules)}",
        help=f"install them again:\n{sys.executable} -m pip install --force-reinstall --no-deps {packages}",
    )


def _installed(modules: list[str]) -> Iterator[str]:
    for module in modules:
        for name in _MODULES[module]:
            try:
                # Without the local part, such as `+cpu`, which an index need not know.
                yield f"{name}=={metadata.version(name).partition('+')[0]}"
            except metadata.PackageNotFoundError:
                continue
