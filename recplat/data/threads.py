"""How many threads the data layer uses."""

import os

_MAX_THREADS = 8


def num_threads() -> int:
    """One for each CPU, up to 8: beyond that the reading of files is what takes the time."""
    return min(_MAX_THREADS, os.cpu_count() or 1)
