"""The folder of a run, `.recplat/runs/<run id>/`: the launcher and the ranks meet in it.

run.json            state, kept by the launcher
lock                held while somebody takes the run over: to resume it, or to mark it as abandoned
plan.json           the plan; statistics.json the lock it was compiled with
go.json             written last by the launcher: data is prepared, ranks may start
abort               exists when ranks that still wait for go.json shall leave
events/rank-<r>.jsonl   see events.py
logs/               standard output and error of each rank
checkpoints/step-<n>/   a checkpoint is complete when its manifest.json exists
result.json         the last Finished event
spec/               the spec as written, and `normal.json`: its normal form
plots/              pictures drawn at the end
tracking.json       where the run is recorded, and whether its end is recorded too
"""

from pathlib import Path

import msgspec
from msgspec import Struct


class Go(Struct, frozen=True, kw_only=True):
    """What ranks need beyond the plan; paths are absolute."""

    prepared: str
    catalog_folders: tuple[str, ...] = ()
    resume_from: str | None = None  # folder of a checkpoint
    run_id: str


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = path / "run.json"
        self.lock = path / "lock"
        self.plan = path / "plan.json"
        self.statistics = path / "statistics.json"
        self.go = path / "go.json"
        self.abort = path / "abort"
        self.events = path / "events"
        self.logs = path / "logs"
        self.checkpoints = path / "checkpoints"
        self.result = path / "result.json"
        self.spec = path / "spec"
        self.normal_form = self.spec / "normal.json"
        self.plots = path / "plots"
        self.tracking = path / "tracking.json"

    def rank_events(self, rank: int) -> Path:
        return self.events / f"rank-{rank}.jsonl"

    def write(self, target: Path, value: object) -> None:
        """Write a value as JSON so that a reader sees all of it or nothing."""
        partial = target.with_name(f".{target.name}.partial")
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2))
        partial.replace(target)
