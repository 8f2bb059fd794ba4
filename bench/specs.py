"""How long commands that only read a spec take, as a ratio to importing their libraries and nothing else."""

import statistics
import sys
import tempfile
from pathlib import Path

import click

from bench.measure import RECPLAT, seconds, spread

_IMPORTS = [sys.executable, "-c", "import click, yaml, jsonschema, msgspec"]
_NUM_FEATURES = 10_000


def measure_specs(repeats: int) -> None:
    for command in ("validate", "plan"):
        pairs = [(seconds([RECPLAT, command, "specs/ml100k-deepfm.yaml"]), seconds(_IMPORTS)) for _ in range(repeats)]
        ratio = statistics.median(first / second for first, second in pairs)
        times = spread([first for first, _ in pairs], ".2f")
        click.echo(f"recplat {command:<9}{times} s, {ratio:.2f} x the import of its libraries")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.yaml"
        large.write_text(_large_spec())
        times = spread([seconds([RECPLAT, "validate", str(large)]) for _ in range(repeats)], ".2f")
        click.echo(f"recplat validate {times} s, with {_NUM_FEATURES:,} features and tables")


def _large_spec() -> str:
    features = "".join(
        f"    - {{name: f{i}, type: categorical, transform: {{type: hash, buckets: {100 + i}}}}}\n"
        for i in range(_NUM_FEATURES)
    )
    tables = "".join(f"    - {{name: f{i}, dim: 16, rows: {200 + i}}}\n" for i in range(_NUM_FEATURES))
    return (
        "apiVersion: recplat.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: large}\nspec:\n"
        "  data:\n    source: {path: rows.parquet}\n    split: {by: random}\n    label: {column: label}\n"
        f"  features:\n{features}  tables:\n{tables}  model: {{type: dcn_v2}}\n"
    )
