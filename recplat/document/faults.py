"""Gathers diagnostics up to a limit."""

from __future__ import annotations

from recplat.diagnostics import Diagnostic
from recplat.document.limits import MAX_FAULTS


class StopReading(Exception):
    """Ends a pass once going on is unsafe or tells nothing more; never leaves this package."""


class Faults:
    """The faults of one pass over one file."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def add(self, diagnostic: Diagnostic) -> None:
        self.found.append(diagnostic)
        if len(self.found) == MAX_FAULTS:
            self.found.append(
                Diagnostic(
                    "too-many-faults",
                    f"stopped after {MAX_FAULTS} faults; there may be more",
                    help="repair these first: one cause often repeats",
                    severity="note",
                )
            )
            raise StopReading

    def stop(self, diagnostic: Diagnostic) -> StopReading:
        """Takes a last diagnostic; the caller raises what comes back."""
        self.found.append(diagnostic)
        return StopReading()
