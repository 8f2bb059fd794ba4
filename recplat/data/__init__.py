"""From files to batches. Read `statistics.py`, `preparing.py`, `batches.py`; `prepared.py` is the layout between them.

    files -> table -> dataset (rows with their part) -> features -> prepared folder -> batches

Names are loaded when they are asked for: `plan` reads the statistics lock and must not pay for NumPy and Arrow.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recplat.data.lock import load_statistics, statistics_key
    from recplat.data.preparing import prepare
    from recplat.data.statistics import compute_statistics, ensure_statistics

__all__ = ["compute_statistics", "ensure_statistics", "load_statistics", "prepare", "statistics_key"]

_MODULES = {
    "compute_statistics": "statistics",
    "ensure_statistics": "statistics",
    "load_statistics": "lock",
    "prepare": "preparing",
    "statistics_key": "lock",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
