"""Runs a job on one machine: a process for each rank, followed to its end. Read `run.py` first.

Only types are imported here, since every rank's process passes through.
"""

from recplat.launch.result import GateResult, Result

__all__ = ["GateResult", "Result"]
