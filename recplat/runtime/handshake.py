"""What ranks wait for: they start, and import their libraries, while the data is still being prepared."""

import os
import time
from typing import Literal

import msgspec

from recplat.tracking.run_folder import Go, RunFolder

POLL_S = 0.02


def wait_for_go(folder: RunFolder, parent: int) -> Go | Literal["abort", "orphaned"]:
    """Wait until the launcher says go, or gives up, or dies.

    Args:
        parent: process id of the parent when this rank started.
    """
    while not folder.go.exists():
        if folder.abort.exists():
            return "abort"
        if os.getppid() != parent:
            return "orphaned"
        time.sleep(POLL_S)
    return msgspec.json.decode(folder.go.read_bytes(), type=Go)
