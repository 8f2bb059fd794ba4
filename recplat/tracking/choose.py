"""The tracker that a job asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from recplat.diagnostics import Diagnostic, Problems
from recplat.spec.types import TrainingJob
from recplat.tracking.stores import check_answers, choose_uri, default_uri, is_installed, without_password
from recplat.tracking.tracker import NullTracker, Tracker


def open_tracker(job: TrainingJob, root: Path, notify: Callable[[str], None]) -> Tracker:
    """Begin to open the store of a job; `notify` is told later if it fails.

    Raises:
        Problems: a server doesn't answer, or a store is asked for and MLflow isn't installed.
    """
    path = "spec.tracking.uri" if job.spec.tracking.uri else None
    uri = choose_uri(job.spec.tracking.uri, root)
    if not is_installed():
        if uri != default_uri(root):
            raise Problems([_not_installed(uri, path)])
        notify("MLflow is not installed: the run is recorded in its folder only (`pip install 'recplat[tracking]'`)")
        return NullTracker()
    check_answers(uri, path)
    from recplat.tracking.mlflow_tracker import MlflowTracker

    return MlflowTracker(uri, job.spec.tracking.experiment or job.metadata.name, notify, path)


def _not_installed(uri: str, path: str | None) -> Diagnostic:
    return Diagnostic(
        "mlflow-not-installed",
        f"the run is to be recorded in {without_password(uri)}, and MLflow is not installed",
        help="`pip install 'recplat[tracking]'`",
        path=path,
    )
