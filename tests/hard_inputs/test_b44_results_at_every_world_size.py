"""B44: a run with several processes gives its result to the caller, and its failure the first cause."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launch.tiny_project import make_project

#: A model of the user's own, whose third step fails on rank 1.
OPTIONS = """\
from recplat.catalog.models.dlrm.options import Options as Dlrm


class Options(Dlrm, frozen=True, kw_only=True, tag="fragile"):
    pass
"""
MODULE = """\
import os

from recplat.catalog.models.dlrm.module import DLRM


class Fragile(DLRM):
    num_steps = 0

    def forward(self, dense_BD, pooled_BE):
        self.num_steps += self.training
        if self.num_steps == 3 and os.environ["RANK"] == "1":
            raise ArithmeticError("the third step is too much")
        return super().forward(dense_BD, pooled_BE)


def build(options, inputs):
    return Fragile(options, inputs)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_project(tmp_path)
    model = tmp_path / "own" / "models" / "fragile"
    model.mkdir(parents=True)
    (model / "options.py").write_text(OPTIONS)
    (model / "module.py").write_text(MODULE)
    return tmp_path


def apply(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from recplat.cli import main; main()", "apply", "tiny.yaml", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "MLFLOW_TRACKING_URI"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def test_one_and_two_ranks_end_with_the_same_keys_and_file(folder):
    results, files = [], []
    for ranks in (1, 2):
        done = apply(folder, "-o", "json", "--set", f"spec.resources.ranks_per_node={ranks}")
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout))
        files.append(json.loads((Path(results[-1]["folder"]) / "result.json").read_text()))
    one, two = results
    assert one.keys() == two.keys()
    assert (one["num_ranks"], two["num_ranks"]) == (1, 2)
    assert one["metrics"].keys() == two["metrics"].keys() == {"eval", "test"}
    assert one["metrics"]["test"].keys() == two["metrics"]["test"].keys()
    assert one["metrics"]["test"]["logloss"] == pytest.approx(two["metrics"]["test"]["logloss"], rel=1e-4)
    assert (one["steps"], one["num_rows"]) == (two["steps"], two["num_rows"]) == (4, 120)
    assert files[0].keys() == files[1].keys()


def test_a_failing_rank_is_told_with_rank_step_and_error(folder):
    own_model = ("--set", "spec.catalog=[own]", "--set", "spec.model.type=fragile")
    done = apply(folder, *own_model, "--set", "spec.train.epochs=3", "--verbose")
    assert done.returncode == 1
    assert "error[rank-failed]: rank 1 failed at step" in done.stderr
    assert "ArithmeticError: the third step is too much" in done.stderr
    assert 'File "' in done.stderr  # --verbose: the traceback
    [log] = folder.glob(".recplat/runs/*/logs/rank-1.log")
    assert "the third step is too much" in log.read_text()
    assert done.stdout == ""
