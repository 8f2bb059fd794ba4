"""Which MLflow store a run is recorded in, whether it answers, and how it is opened."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import importlib.util
import logging
import os
import sqlite3
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from recplat.diagnostics import Diagnostic, Problems
from recplat.spec.paths import STATE_FOLDER

_CONNECT_S = 5.0
#: MLflow's pages otherwise guess, and take an experiment for one with language models.
_KIND = {"mlflow.experimentKind": "custom_model_development"}
#: MLflow's own: two minutes for a request and seven retries, with which a dead server hangs for a quarter of an hour.
#: Telemetry asks the network. Levels and refresh: silence about what is in order.
_SETTINGS = {
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_LOGGING_LEVEL": "CRITICAL",  # errors are raised as well, and told by us
    "GIT_PYTHON_REFRESH": "quiet",
}


def default_uri(root: Path) -> str:
    """The SQLite store of a project."""
    # Only what SQLAlchemy would read as something else: it takes `%41` for `A` and ends the path at `?`.
    path = str(root / STATE_FOLDER / "mlflow.db").replace("%", "%25").replace("?", "%3F")
    return f"sqlite:///{path}"


def choose_uri(named: str | None, root: Path) -> str:
    """The spec's URI, else MLFLOW_TRACKING_URI, else the project's own store."""
    return named or os.environ.get("MLFLOW_TRACKING_URI") or default_uri(root)


def is_installed() -> bool:
    return importlib.util.find_spec("mlflow") is not None


def without_password(uri: str) -> str:
    """The URI as it may be shown and written down."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return f"{uri.partition(':')[0]}:…"
    if parts.password is None:
        return uri
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username}:***@{host}").geturl()


def check_answers(uri: str, path: str | None = None) -> None:
    """
    Args:
        path: the place in the spec that names the store.
    Raises:
        Problems: it is a server and doesn't answer within five seconds.
    """
    if not uri.startswith(("http://", "https://")):
        return
    try:
        urllib.request.urlopen(f"{uri.rstrip('/')}/health", timeout=_CONNECT_S).close()
    except urllib.error.HTTPError:
        return  # it answers; what it allows is its own matter
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Problems([unreachable(uri, str(getattr(error, "reason", error)), path)]) from None


def unreachable(uri: str, why: str, path: str | None = None) -> Diagnostic:
    return Diagnostic(
        "tracking-unreachable",
        f"the MLflow store {without_password(uri)} can't be used: {why}",
        help="start the server, correct `tracking.uri` or MLFLOW_TRACKING_URI, or leave both out to record in the "
        "project's own store",
        path=path,
    )


def import_mlflow() -> None:
    """Import MLflow, which takes seconds, without its noise and with time limits that a person can wait for."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    warnings.filterwarnings("ignore", module=r"(mlflow|alembic|sqlalchemy|pydantic)\b")
    importlib.import_module("mlflow")
    logging.getLogger("alembic").setLevel(logging.ERROR)


def open_client(uri: str) -> Any:
    """An MLflow client whose store exists; a new SQLite file gets its tables here, which takes seconds.

    Raises:
        store_errors(): it can't be opened.
    """
    from mlflow import MlflowClient

    with _alone(uri):
        _check_sqlite(uri)
        client = MlflowClient(uri)
        client.search_experiments(max_results=1)  # opens the store
    return client


def store_errors() -> tuple[type[Exception], ...]:
    """What a store raises when it can't do what is asked: MLflow lets some errors of databases through as they are."""
    from mlflow.exceptions import MlflowException

    found: list[type[Exception]] = [MlflowException, OSError, sqlite3.Error, ModuleNotFoundError]
    if importlib.util.find_spec("sqlalchemy") is not None:
        from sqlalchemy.exc import SQLAlchemyError

        found.append(SQLAlchemyError)
    return tuple(found)


def reason(error: Exception) -> str:
    """Why, in one line: databases add their statement and all that it was to write."""
    lines = [line for line in str(error).splitlines() if "Query-invoked autoflush" not in line]
    return lines[0] if lines else type(error).__name__


def _check_sqlite(uri: str) -> None:
    """Fail now: MLflow tries for two minutes to open what is no database."""
    database = _sqlite_file(uri)
    if database is not None:
        with contextlib.closing(sqlite3.connect(database)) as connection:
            connection.execute("pragma schema_version").fetchone()


def experiment_id(client: Any, name: str, uri: str) -> str:
    """The experiment of that name, made where there is none."""
    from mlflow.exceptions import MlflowException

    artifacts = None
    if (database := _sqlite_file(uri)) is not None:
        folder = database.parent / "mlartifacts"
        folder.mkdir(exist_ok=True)
        artifacts = folder.as_uri()
    found = client.get_experiment_by_name(name)
    if found is None:
        try:
            return str(client.create_experiment(name, artifact_location=artifacts, tags=_KIND))
        except MlflowException as error:
            if error.error_code != "RESOURCE_ALREADY_EXISTS":
                raise
            found = client.get_experiment_by_name(name)  # another run was faster
    if found.lifecycle_stage == "deleted":
        client.restore_experiment(found.experiment_id)
    return str(found.experiment_id)


@contextlib.contextmanager
def _alone(uri: str) -> Iterator[None]:
    """Two runs that make the tables of one SQLite file at the same time both fail."""
    database = _sqlite_file(uri)
    if database is None:
        yield
        return
    database.parent.mkdir(parents=True, exist_ok=True)
    with database.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _sqlite_file(uri: str) -> Path | None:
    path = uri.removeprefix("sqlite:///")
    return Path(unquote(path)) if path != uri and path not in ("", ":memory:") else None
