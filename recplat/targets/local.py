"""This machine."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from recplat.diagnostics import Diagnostic, Problems
from recplat.doctor.requirements import missing_libraries
from recplat.launch.display import Display
from recplat.launch.displays import open_display
from recplat.launch.result import Result
from recplat.launch.run import run as run_job
from recplat.spec import LoadedJob
from recplat.spec.render import render_yaml
from recplat.tracking.event_files import EventFiles
from recplat.tracking.processes import is_alive, is_visible
from recplat.tracking.run_state import RunState, read_state
from recplat.tracking.runs import find_run

_POLL_S = 0.5


class LocalTarget:
    """One process per rank on this machine, which the calling process follows and answers for."""

    def render(self, loaded: LoadedJob) -> dict[str, str]:
        return {f"{loaded.job.metadata.name}.yaml": render_yaml(loaded.job)}

    def apply(self, loaded: LoadedJob, *, resume: str | None = None, display: Display | None = None) -> Result:
        if loaded.job.spec.resources.nodes > 1:
            raise loaded.placed(Problems([_too_many_nodes(loaded.job.spec.resources.nodes)]))
        if missing := missing_libraries():
            raise Problems(missing)
        return run_job(loaded, display or open_display(sys.stderr), resume=resume)

    def watch(self, root: Path, run: str, display: Display) -> RunState:
        folder = find_run(root, run)
        files = EventFiles(folder)
        try:
            while True:
                state = read_state(folder)
                assert state is not None
                for event in files.read():
                    display.event(event)
                if state.has_ended or (is_visible(state.process) and not is_alive(state.process)):
                    return state
                time.sleep(_POLL_S)
        finally:
            display.close()

    def cancel(self, root: Path, run: str) -> None:
        state = read_state(find_run(root, run))
        assert state is not None
        if state.has_ended or not is_visible(state.process) or not is_alive(state.process):
            message = f"run {state.run_id} does not run on this machine: it is {state.status}"
            raise Problems([Diagnostic("run-not-running", message, help="`recplat runs list` shows the runs")])
        os.kill(state.process.pid, signal.SIGTERM)


def _too_many_nodes(nodes: int) -> Diagnostic:
    return Diagnostic(
        "local-one-node",
        f"the job asks for {nodes} nodes; the local target is one machine",
        help="set `spec.resources.nodes` to 1, or `--set spec.resources.nodes=1` for this run",
        path="spec.resources.nodes",
    )
