import shutil
from pathlib import Path

import pytest

from recplat.tracking.stores import default_uri, import_mlflow, open_client
from tests.launch.tiny_project import make_project


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An MLflow store without runs, to be copied: making its tables takes seconds."""
    root = tmp_path_factory.mktemp("store")
    import_mlflow()
    open_client(default_uri(root))
    return root / ".recplat" / "mlflow.db"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_store: Path) -> Path:
    """A project folder with a tiny job whose ranks are played by `played_rank.py`."""
    make_project(tmp_path)
    shutil.copy(empty_store, tmp_path / ".recplat")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
