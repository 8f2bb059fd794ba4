"""The command line as a person uses it: in processes of its own, in a project's folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tests.end_to_end.processes import processes_in

RECPLAT = str(Path(sys.executable).with_name("recplat"))

Found = TypeVar("Found")


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON value and strictly so."""
        return strict_json(self.out)


def recplat(project: Path, *arguments: str, timeout_s: float = 120) -> Done:
    done = subprocess.run(
        [RECPLAT, *arguments], cwd=project, env=environment(), capture_output=True, text=True, timeout=timeout_s
    )
    return Done(done.returncode, done.stdout, done.stderr)


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "MLFLOW_TRACKING_URI"}


def strict_json(text: str) -> Any:
    def refuse(name: str) -> None:
        raise ValueError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


class Going:
    """`recplat apply` while it runs, with the processes that it has started."""

    def __init__(self, project: Path, *arguments: str) -> None:
        known = set(run_folders(project))
        self.launcher = subprocess.Popen(
            [RECPLAT, "apply", *arguments],
            cwd=project,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.folder = wait_for(lambda: next((each for each in run_folders(project) if each not in known), None))

    @property
    def run_id(self) -> str:
        return self.folder.name

    def events(self, kind: str) -> list[dict[str, Any]]:
        return read_events(self.folder, kind)

    def wait_until_training(self, num_checkpoints: int = 0) -> None:
        def is_training() -> bool:
            assert self.launcher.poll() is None, self.finish().err
            return bool(self.events("step")) and len(self.events("checkpointed")) >= num_checkpoints

        wait_for(is_training, seconds=90)

    def processes(self) -> dict[int, dict[str, str]]:
        """Environments of the processes that belong to the run, the launcher aside, by their ids."""
        return {pid: each for pid, each in processes_in(self.folder).items() if pid != self.launcher.pid}

    def rank(self, number: int) -> int:
        """Process id of a rank."""
        [pid] = [pid for pid, variables in self.processes().items() if variables.get("RANK") == str(number)]
        return pid

    def wait_until_gone(self, seconds: float) -> float:
        """Wait for the end of all processes; returns the seconds that it took."""
        start = time.monotonic()
        wait_for(lambda: not self.processes() and self.launcher.poll() is not None, seconds=seconds)
        return time.monotonic() - start

    def finish(self, timeout_s: float = 60) -> Done:
        out, err = self.launcher.communicate(timeout=timeout_s)
        return Done(self.launcher.returncode, out, err)

    def kill_all(self) -> None:
        for pid in (self.launcher.pid, *self.processes()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def run_folders(project: Path) -> list[Path]:
    return sorted(path.parent for path in (project / ".recplat" / "runs").glob("*/run.json"))


def read_events(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Events of the latest attempt of a run, all of one type; a line that is being written is left out."""
    texts = [path.read_text() for path in sorted((folder / "events").glob("rank-*.jsonl"))]
    events = [strict_json(line) for text in texts for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return [event for event in events if event["type"] == kind]


def wait_for(condition: Callable[[], Found | None], *, seconds: float = 30) -> Found:
    """What `condition` gives once it is true."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited for {seconds} s"
        time.sleep(0.02)
    return found
