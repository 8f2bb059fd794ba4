"""One MLflow run: what recplat writes into it. Every call may fail when the store does."""

from __future__ import annotations

import getpass
import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from recplat.tracking.metrics import Metric
from recplat.tracking.params import key_for, shorten
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.stores import experiment_id, without_password
from recplat.tracking.tracker import End, TrackedIn, TrackedRun

_MAX_PARAMS_PER_CALL = 100
_MAX_TAGS_PER_CALL = 100
_MAX_METRICS_PER_CALL = 1000
_MAX_TAG = 5000  # what MLflow servers back to 1.x take
_MAX_DIGEST = 36


class MlflowRun:
    def __init__(self, client: Any, folder: RunFolder, place: TrackedIn) -> None:
        self._client, self._folder, self._place = client, folder, place

    @classmethod
    def begin(cls, client: Any, uri: str, experiment: str, run: TrackedRun) -> MlflowRun:
        """Create a run, or continue the one that the folder names where it is in the same store."""
        folder = RunFolder(run.folder)
        before = read_place(folder)
        if before is not None and before.uri == without_password(uri):
            place = msgspec.structs.replace(before, status="RUNNING")
            client.update_run(place.mlflow_run_id, status="RUNNING")
        else:
            place = _create(client, uri, experiment, run)
        folder.write(folder.tracking, place)
        this = cls(client, folder, place)
        this._describe(run)
        return this

    def log_metrics(self, metrics: Sequence[Metric]) -> None:
        from mlflow.entities import Metric as MlflowMetric

        records = [MlflowMetric(each.name, each.value, int(each.time * 1000), each.step) for each in metrics]
        for start in range(0, len(records), _MAX_METRICS_PER_CALL):
            chunk = records[start : start + _MAX_METRICS_PER_CALL]
            self._client.log_batch(self._place.mlflow_run_id, metrics=chunk)

    def set_tags(self, tags: Mapping[str, str]) -> None:
        from mlflow.entities import RunTag

        records = [RunTag(key_for(name), shorten(value, _MAX_TAG)) for name, value in tags.items()]
        for start in range(0, len(records), _MAX_TAGS_PER_CALL):
            self._client.log_batch(self._place.mlflow_run_id, tags=records[start : start + _MAX_TAGS_PER_CALL])

    def log_artifact(self, path: Path, folder: str) -> None:
        log = self._client.log_artifacts if path.is_dir() else self._client.log_artifact
        log(self._place.mlflow_run_id, str(path), folder or None)

    def beat(self) -> None:
        self._client.set_tag(self._place.mlflow_run_id, "recplat.heartbeat", _now())

    def end(self, status: End) -> None:
        self._client.set_terminated(self._place.mlflow_run_id, status)
        self._folder.write(self._folder.tracking, msgspec.structs.replace(self._place, status=status))

    def _describe(self, run: TrackedRun) -> None:
        from mlflow.entities import Param

        tags = dict(run.tags)
        params = self._new_params(run.params, tags)
        self.set_tags(tags)
        records = [Param(*each) for each in params.items()]
        for start in range(0, len(records), _MAX_PARAMS_PER_CALL):
            self._client.log_batch(
                self._place.mlflow_run_id, params=records[start : start + _MAX_PARAMS_PER_CALL], synchronous=True
            )
        self._client.log_inputs(self._place.mlflow_run_id, datasets=_dataset_inputs(run))

    def _new_params(self, params: Mapping[str, str], tags: dict[str, str]) -> dict[str, str]:
        """MLflow's parameters can't change: what a resumed run changes is told in a tag."""
        known = self._client.get_run(self._place.mlflow_run_id).data.params
        if known and (changed := _changes(known, params)):
            tags["recplat.changed_on_resume"] = "\n".join(changed)
        return {key: value for key, value in params.items() if key not in known}


def read_place(folder: RunFolder) -> TrackedIn | None:
    """Where a run is recorded; None where it isn't, or a power cut left nothing readable."""
    try:
        return msgspec.json.decode(folder.tracking.read_bytes(), type=TrackedIn)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return [f"{name}: {before.get(name, 'not given')} -> {after.get(name, 'not given')}" for name in names]


def _create(client: Any, uri: str, experiment: str, run: TrackedRun) -> TrackedIn:
    experiment_number = experiment_id(client, experiment, uri)
    tags = {"mlflow.user": _user(), "mlflow.source.type": "LOCAL", "recplat.heartbeat": _now()}
    created = client.create_run(experiment_number, run_name=run.run_name, tags=tags)
    return TrackedIn(
        uri=without_password(uri),
        experiment=experiment,
        experiment_id=experiment_number,
        mlflow_run_id=created.info.run_id,
        status="RUNNING",
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # containers often run under a number that has no name
        return str(os.getuid())


def _dataset_inputs(run: TrackedRun) -> list[Any]:
    from mlflow.entities import Dataset, DatasetInput, InputTag

    return [
        DatasetInput(
            Dataset(
                name=each.part,
                digest=each.digest[:_MAX_DIGEST],
                source_type="local",
                source=json.dumps({"uri": each.source}),
            ),
            tags=[InputTag("mlflow.data.context", each.part)],
        )
        for each in run.datasets
    ]


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
