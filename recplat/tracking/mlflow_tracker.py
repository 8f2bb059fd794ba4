"""Records a run in MLflow from a thread of its own, so that no store or network can hold up the training.

While a store doesn't answer, what is to be recorded is kept and tried again; the run's folder has it all anyhow.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from recplat.diagnostics import Problems
from recplat.tracking.events import AnyEvent
from recplat.tracking.metrics import Metric, metrics_of
from recplat.tracking.mlflow_run import MlflowRun
from recplat.tracking.stores import import_mlflow, open_client, reason, store_errors, unreachable, without_password
from recplat.tracking.system import SystemSampler
from recplat.tracking.tracker import End, TrackedRun

_FLUSH_S = 2.0
_HEARTBEAT_S = 30.0
_SAMPLE_S = 10.0
_OPEN_S = 60.0
#: About 30 MB of metrics that wait for a store; older ones are let go.
_MAX_WAITING = 100_000


class _Artifact(msgspec.Struct, frozen=True):
    path: Path
    folder: str


class _Tags(msgspec.Struct, frozen=True):
    tags: dict[str, str]


class _Finish(msgspec.Struct, frozen=True):
    status: End


class MlflowTracker:
    """One run in one store."""

    def __init__(self, uri: str, experiment: str, notify: Callable[[str], None], path: str | None = None) -> None:
        """
        Args:
            notify: told once when the store stops answering; called in the tracker's thread.
            path: the place in the spec that names the store, for diagnostics.
        """
        self._uri, self._experiment, self._notify, self._path = uri, experiment, notify, path
        self._queue: queue.SimpleQueue[TrackedRun | AnyEvent | _Artifact | _Tags | _Finish] = queue.SimpleQueue()
        self._opened, self._done = threading.Event(), threading.Event()
        self._trouble: str | None = None
        self._start: TrackedRun | None = None
        self._run: MlflowRun | None = None
        self._metrics: list[Metric] = []
        self._artifacts: list[_Artifact] = []
        self._tags: dict[str, str] = {}
        self._thread = threading.Thread(target=self._work, name="mlflow", daemon=True)
        self._thread.start()

    def wait_until_open(self) -> None:
        """
        Raises:
            Problems: the store can't be opened.
        """
        self._opened.wait(_OPEN_S)
        if self._trouble is not None:
            raise Problems([unreachable(self._uri, self._trouble, self._path)])

    def start(self, run: TrackedRun) -> None:
        self._queue.put(run)

    def event(self, event: AnyEvent) -> None:
        self._queue.put(event)

    def tags(self, tags: Mapping[str, str]) -> None:
        self._queue.put(_Tags(dict(tags)))

    def artifact(self, path: Path, folder: str) -> None:
        self._queue.put(_Artifact(path, folder))

    def finish(self, status: End, timeout_s: float) -> str | None:
        self._queue.put(_Finish(status))
        deadline = time.monotonic() + timeout_s
        while not self._done.wait(0.05):
            # It may have come to its end since `wait` gave up.
            if not self._thread.is_alive() and not self._done.is_set():
                return "recording ended with the error shown above"
            if time.monotonic() > deadline:
                return self._trouble or f"{without_password(self._uri)} did not answer within {timeout_s:.1f} s"
        return self._trouble

    def _work(self) -> None:
        client = None
        try:
            import_mlflow()
            client = self._attempt(lambda: open_client(self._uri))
        except ImportError as error:
            self._trouble = f"MLflow can't be imported: {error}"
        self._opened.set()
        if client is not None:
            self._record_until_end(client)
        self._done.set()

    def _record_until_end(self, client: Any) -> None:
        sampler = SystemSampler()
        last_beat = last_sample = time.monotonic()
        end: End | None = None
        while end is None:
            end = self._collect(_FLUSH_S)
            now = time.monotonic()
            if now - last_sample >= _SAMPLE_S and self._metrics:
                last_sample = now
                self._add_sample(sampler)
            if self._attempt(lambda: self._record(client)) and now - last_beat >= _HEARTBEAT_S:
                last_beat = now
                self._attempt(self._beat)
        lost = self._trouble
        if self._run is not None:
            self._attempt(lambda: self._end(end))
        self._trouble = self._trouble or lost

    def _collect(self, seconds: float) -> End | None:
        """Take what has come in; wait up to `seconds` for more. Returns the end, once it is there."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                item = self._queue.get(timeout=left)
            except queue.Empty:
                return None
            match item:
                case TrackedRun():
                    self._start = item
                    return None  # the run shall appear at once
                case _Artifact():
                    self._artifacts.append(item)
                case _Tags():
                    self._tags |= item.tags
                case _Finish():
                    return item.status
                case _:
                    self._metrics.extend(metrics_of(item))
        return None

    def _record(self, client: Any) -> bool:
        """Everything that waits, in an order in which a fault loses nothing."""
        if self._start is None:
            return False
        if self._run is None:
            self._run = MlflowRun.begin(client, self._uri, self._experiment, self._start)
            self._artifacts = [*(_Artifact(*each) for each in self._start.artifacts), *self._artifacts]
        del self._metrics[:-_MAX_WAITING]
        count = len(self._metrics)
        self._run.log_metrics(self._metrics[:count])
        del self._metrics[:count]
        if self._tags:
            self._run.set_tags(self._tags)
            self._tags = {}
        while self._artifacts:
            self._run.log_artifact(self._artifacts[0].path, self._artifacts[0].folder)
            del self._artifacts[0]
        return True

    def _beat(self) -> bool:
        assert self._run is not None
        self._run.beat()
        return True

    def _end(self, status: End) -> bool:
        assert self._run is not None
        self._run.end(status)
        return True

    def _add_sample(self, sampler: SystemSampler) -> None:
        step = self._metrics[-1].step
        self._metrics += [Metric(name, value, time.time(), step) for name, value in sampler.sample().items()]

    def _attempt(self, act: Callable[[], Any]) -> Any:
        """What `act` returns, or None when the store fails; said once for each outage."""
        try:
            result = act()
        except store_errors() as error:
            if self._trouble is None and self._start is not None:
                where = without_password(self._uri)
                self._notify(
                    f"MLflow at {where} does not answer; training goes on, recording is tried again: {reason(error)}"
                )
            self._trouble = reason(error)
            return None
        self._trouble = None
        return result
