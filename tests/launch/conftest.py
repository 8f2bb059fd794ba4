import random
from pathlib import Path

import pytest

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: tiny}
spec:
  data:
    source: {path: rows.csv}
    split: {by: random, fractions: [0.6, 0.2, 0.2], seed: 1}
    label: {column: label}
  features:
    - {name: item, type: categorical, dim: 4}
    - {name: age, type: numeric}
  model: {type: dlrm}
  train: {batch_size: 32}
  resources: {device: cpu, ranks_per_node: 2}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder with a tiny job whose ranks are played by `played_rank.py`."""
    (tmp_path / ".recplat").mkdir()
    random.seed(0)
    rows = [f"{random.randrange(2)},{random.randrange(9)},{random.randrange(20, 60)}" for _ in range(200)]
    (tmp_path / "rows.csv").write_text("label,item,age\n" + "\n".join(rows) + "\n")
    (tmp_path / "tiny.yaml").write_text(SPEC)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
