"""`validate` waits for nothing that it does not need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_PROGRAM = """
import json, sys
from click.testing import CliRunner
from recplat.cli import cli
result = CliRunner().invoke(cli, sys.argv[1:])
assert result.exit_code in (0, 1), result.output
print(json.dumps([result.exit_code, sorted({name.partition(".")[0] for name in sys.modules})]))
"""
HEAVY = {"torch", "torchrec", "fbgemm_gpu", "numpy", "pyarrow", "pandas", "mlflow", "rich", "kubernetes"}


def _imported(*arguments: str) -> tuple[int, set[str]]:
    command = [sys.executable, "-c", _PROGRAM, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    exit_code, names = json.loads(done.stdout)
    return exit_code, set(names)


def test_a_right_spec_is_checked_without_the_validator_of_schemas():
    exit_code, names = _imported("validate", "specs/ml100k-deepfm.yaml")
    assert exit_code == 0
    assert names.isdisjoint(HEAVY | {"jsonschema"})


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "tests/golden/diagnostics/many-faults.yaml"),
        ("validate", "tests/golden/diagnostics/tab-in-indentation.yaml", "-o", "json"),
        ("render", "specs/ml100k-deepfm.yaml"),
        ("schema",),
        ("explain", "train.batch_size"),
        ("migrate", "specs/ml100k-deepfm.yaml"),
    ],
    ids=" ".join,
)
def test_no_command_about_specs_imports_what_handles_data_or_tensors(arguments: tuple[str, ...]):
    _, names = _imported(*arguments)
    assert names.isdisjoint(HEAVY)
