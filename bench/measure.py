"""What the benchmarks share: running recplat, and printing medians."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from recplat.plan.machine import find_cpu

ROOT = Path(__file__).parent.parent
RECPLAT = str(Path(sys.executable).parent / "recplat")


def machine() -> str:
    return f"{find_cpu().name}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}"


def seconds(command: Sequence[str], folder: Path = ROOT) -> float:
    """Wall time of a whole process that must succeed."""
    start = time.monotonic()
    output(command, folder)
    return time.monotonic() - start


def output(command: Sequence[str], folder: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def spread(values: Sequence[float], form: str) -> str:
    """Median, and least to most."""
    return f"{statistics.median(values):{form}} ({min(values):{form}}–{max(values):{form}})"
