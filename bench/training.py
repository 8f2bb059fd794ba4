"""From raw rows to a tested model: each model several times, in turns.

Rows are made up in Criteo's shape, so that anyone can repeat it; the best possible AUC is known and printed beside the
one that was reached.
"""

import json
import shutil
import tempfile
import time
from pathlib import Path

import click

from bench.measure import RECPLAT, output, spread

_SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {{name: {name}}}
spec:
  data:
    source: {{path: rows.parquet}}
    split: {{by: random, fractions: [0.8, 0.1, 0.1], seed: 1}}
    label: {{column: label}}
  features:
    - {{name: {numbers}, type: numeric, transform: [log1p, zscore]}}
    - {{name: {keys}, type: categorical, dim: 16}}
  model: {model}
  train: {{batch_size: 4096, epochs: 1}}
"""
_MODELS = {
    "deepfm": "{type: deepfm, hidden_units: [400, 400, 400]}",
    "dcn-v2": "{type: dcn_v2, hidden_units: [400, 400, 400]}",
    "dlrm": "{type: dlrm, bottom_mlp: [512, 256], top_mlp: [512, 256]}",
}
#: Figure -> how it is printed.
_TRAINING = {"raw to trained s": ".1f", "samples/s": ",.0f", "loader wait": ".1%", "test AUC": ".4f"}


def measure_training(rows: int, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        best_auc = _make_up(project, rows)
        click.echo(f"\n{rows:,} rows in Criteo's shape, best possible AUC {best_auc:.4f}")
        click.echo(f"{'':<9}{''.join(f'{title:>30}' for title in _TRAINING)}")
        figures: dict[str, list[dict[str, float]]] = {name: [] for name in _MODELS}
        for _ in range(repeats):
            for name in _MODELS:
                figures[name].append(_train(project, name))
        for name, runs in figures.items():
            cells = [spread([run[title] for run in runs], form) for title, form in _TRAINING.items()]
            click.echo(f"{name:<9}{''.join(f'{cell:>30}' for cell in cells)}")


def _make_up(project: Path, rows: int) -> float:
    """Write the rows and a spec for each model; the best AUC that these labels allow."""
    (project / ".recplat").mkdir()
    answer = _recplat(project, "data", "synth", "criteo", "--out", "rows.parquet", "--rows", str(rows), "-o", "json")
    numbers = json.dumps([f"I{n}" for n in range(1, 14)])
    keys = json.dumps([f"C{n}" for n in range(1, 27)])
    for name, model in _MODELS.items():
        text = _SPEC.format(name=name, numbers=numbers, keys=keys, model=model)
        (project / f"{name}.yaml").write_text(text)
    return float(json.loads(answer)["report"]["teacher_auc"])


def _train(project: Path, name: str) -> dict[str, float]:
    """One run from raw rows to a tested model: nothing prepared is left from the run before."""
    for folder in ("cache", "statistics"):
        shutil.rmtree(project / ".recplat" / folder, ignore_errors=True)
    start = time.monotonic()
    result = json.loads(_recplat(project, "apply", f"{name}.yaml", "-o", "json"))
    return {
        "raw to trained s": time.monotonic() - start,
        "samples/s": result["samples_per_second"],
        "loader wait": result["loader_wait_fraction"],
        "test AUC": result["metrics"]["test"]["auc"],
    }


def _recplat(folder: Path, *arguments: str) -> str:
    return output([RECPLAT, *arguments], folder)
