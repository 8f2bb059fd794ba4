"""A project as a team has it: a git repository with specs, examples and rows that are made up."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[2]
NUM_ROWS = 4_011  # not a multiple of anything here, so that last batches are ragged
BATCH_SIZE = 256

SPEC = f"""\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {{name: films}}
spec:
  data:
    source: {{path: ../data/ml-100k/ratings.parquet}}
    split: {{by: random, fractions: [0.8, 0.1, 0.1], seed: 1}}
    label: {{column: rating, positive: ">= 4"}}
  features:
    - {{name: [user_id, item_id, gender], type: categorical, dim: 8}}
    - {{name: genres, type: categorical, dim: 8, multivalent: true, pooling: mean}}
    - {{name: age, type: numeric, transform: zscore}}
  model: {{type: deepfm, hidden_units: [16, 8]}}
  train: {{batch_size: {BATCH_SIZE}, epochs: 3, seed: 7}}
  optimizations: {{precision: fp32, compile: false}}
  resources: {{device: cpu, cpus_per_rank: 1}}
"""

_GENRES = np.array(["Action", "Comedy", "Crime", "Drama", "Horror", "Sci-Fi", "Thriller", "War"])
_OCCUPATIONS = np.array(["artist", "doctor", "student", "writer"])


def make_project(folder: Path) -> Path:
    """`specs/films.yaml` and this repository's own specs and examples, with data that fits them all; committed."""
    shutil.copytree(ROOT / "specs", folder / "specs")
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".gitignore", folder)
    (folder / "specs" / "films.yaml").write_text(SPEC)
    (folder / "data" / "ml-100k").mkdir(parents=True)
    pq.write_table(make_ratings(NUM_ROWS), folder / "data" / "ml-100k" / "ratings.parquet")
    author = ("-c", "user.name=ann", "-c", "user.email=ann@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def make_ratings(num_rows: int, seed: int = 0) -> pa.Table:
    """Rows shaped like MovieLens-100k. Users, films and genres have tastes and qualities that can be learnt."""
    random = np.random.default_rng(seed)
    user_N, item_N = random.integers(1, 60, num_rows), random.integers(1, 120, num_rows)
    genres_N = [random.choice(_GENRES, random.integers(0, 4), replace=False).tolist() for _ in range(num_rows)]
    age_N = random.integers(15, 70, num_rows)
    score_N = random.normal(size=60)[user_N] + random.normal(size=120)[item_N] + (age_N - 42) / 30
    score_N += np.array(["Comedy" in genres for genres in genres_N]) * 0.8
    return pa.table(
        {
            "user_id": user_N,
            "item_id": item_N,
            "rating": np.clip(np.round(score_N + random.normal(size=num_rows) * 0.5 + 3.3), 1, 5).astype(np.int64),
            "timestamp": 881_250_949 + random.integers(0, 10_000_000, num_rows),
            "age": age_N,
            "gender": random.choice(["F", "M"], 60)[user_N],
            "occupation": random.choice(_OCCUPATIONS, 60)[user_N],
            "zip_code": random.choice(["00000", "01234", "55105"], 60)[user_N],
            "genres": genres_N,
        }
    )
