"""What every place to run a job can do."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from recplat.launch.display import Display
from recplat.launch.result import Result
from recplat.spec import LoadedJob
from recplat.tracking.run_state import RunState


class Target(Protocol):
    """Faults of the user's come as `Problems`."""

    def render(self, loaded: LoadedJob) -> dict[str, str]:
        """Files to commit: text by name; the same job gives the same files."""

    def apply(self, loaded: LoadedJob, *, resume: str | None = None, display: Display | None = None) -> Result:
        """Run the job, or continue the run `resume` of it, and wait for the end."""

    def watch(self, root: Path, run: str, display: Display) -> RunState:
        """Show a run that was started elsewhere until it ends; returns how it ended."""

    def cancel(self, root: Path, run: str) -> None:
        """Ask a run to end; it is then marked KILLED."""
