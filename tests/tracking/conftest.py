from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recplat.tracking.run_folder import RunFolder
from recplat.tracking.stores import import_mlflow, open_client
from recplat.tracking.tracker import TrackedDataset, TrackedRun


@pytest.fixture(scope="session")
def store_uri(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One SQLite store for all tests of a session, since making its tables takes seconds."""
    return f"sqlite:///{tmp_path_factory.mktemp('store') / 'mlflow.db'}"


@pytest.fixture(scope="session")
def client(store_uri: str) -> Iterator[object]:
    import_mlflow()
    return open_client(store_uri)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "20261130-120000-abcdef")
    folder.path.mkdir()
    return folder


@pytest.fixture
def tracked(folder: RunFolder) -> Callable[..., TrackedRun]:
    def make(**fields: object) -> TrackedRun:
        given = {
            "folder": folder.path,
            "run_name": "tiny",
            "params": {"spec.train.epochs": "1"},
            "tags": {"recplat.run_id": folder.path.name},
            "datasets": (TrackedDataset(part="train", digest="d" * 64, source="/data/rows.csv"),),
            "artifacts": (),
        }
        return TrackedRun(**(given | fields))

    return make
