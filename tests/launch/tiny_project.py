"""A project folder with a job that trains in a blink."""

import random
from pathlib import Path

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


def make_project(folder: Path) -> None:
    """`tiny.yaml` and its 200 rows; 120 of them train."""
    (folder / ".recplat").mkdir()
    numbers = random.Random(0)
    rows = [f"{numbers.randrange(2)},{numbers.randrange(9)},{numbers.randrange(20, 60)}" for _ in range(200)]
    (folder / "rows.csv").write_text("label,item,age\n" + "\n".join(rows) + "\n")
    (folder / "tiny.yaml").write_text(SPEC)
