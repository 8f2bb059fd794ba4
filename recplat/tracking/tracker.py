"""Where a run is recorded: the interface, and the tracker that records nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from recplat.tracking.events import AnyEvent

End = Literal["FINISHED", "FAILED", "KILLED"]


class TrackedDataset(Struct, frozen=True, kw_only=True):
    """One part of the data, by the digest of its statistics."""

    part: str
    digest: str
    source: str


class TrackedRun(Struct, frozen=True, kw_only=True):
    """What is known of a run when it starts."""

    folder: Path
    run_name: str
    params: dict[str, str]  # by spec path
    tags: dict[str, str]
    datasets: tuple[TrackedDataset, ...]
    artifacts: tuple[tuple[Path, str], ...]  # file or folder -> folder in the run's artifacts


class TrackedIn(Struct, frozen=True, kw_only=True):
    """`tracking.json`: where a run is recorded. `status` is the end as recorded there, RUNNING before."""

    uri: str
    experiment: str
    experiment_id: str
    mlflow_run_id: str
    status: Literal["RUNNING", "FINISHED", "FAILED", "KILLED"]


class Tracker(Protocol):
    """Records one run. No method waits for a store or a server, `finish` aside."""

    def wait_until_open(self) -> None:
        """
        Raises:
            Problems: the store can't be opened.
        """

    def start(self, run: TrackedRun) -> None:
        """Begin a run, or continue the one that the folder's `tracking.json` names."""

    def event(self, event: AnyEvent) -> None: ...

    def tags(self, tags: Mapping[str, str]) -> None:
        """Set tags of the run."""

    def artifact(self, path: Path, folder: str) -> None:
        """Keep a file, or what is in a folder, under `folder` of the run's artifacts."""

    def finish(self, status: End, timeout_s: float) -> str | None:
        """Record the end. Returns what could not be recorded and why, None when all is well."""


class NullTracker:
    """Records nothing."""

    def wait_until_open(self) -> None:
        pass

    def start(self, run: TrackedRun) -> None:
        pass

    def event(self, event: AnyEvent) -> None:
        pass

    def tags(self, tags: Mapping[str, str]) -> None:
        pass

    def artifact(self, path: Path, folder: str) -> None:
        pass

    def finish(self, status: End, timeout_s: float) -> str | None:
        return None
