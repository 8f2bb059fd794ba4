"""A number is a number however it is written: no text reaches the optimiser.

YAML 1.1 readers take `1e-3`, `5e-4` and `1e5` for text.
"""

from pathlib import Path

import pytest

from recplat.spec import LoadedJob, load_job
from recplat.spec.build import to_plain
from recplat.spec.load import check_job

SPEC = """\
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {{name: job}}
spec:
  data: {{source: {{path: rows.parquet}}, split: {{by: random}}, label: {{column: clicked}}}}
  features: [{{name: user_id, type: categorical}}]
  model: dcn_v2
  train:
    max_steps: {steps}
    dense_optimizer: {{type: adam, learning_rate: {rate}, weight_decay: {decay}}}
"""


def _job(folder: Path, *, rate: str = "0.001", decay: str = "0.0005", steps: str = "100000") -> LoadedJob:
    path = folder / "job.yaml"
    path.write_text(SPEC.format(rate=rate, decay=decay, steps=steps))
    return load_job(path)


@pytest.mark.parametrize("rate", ["1e-3", "1E-3", "1.0e-3", "0.1e-2", ".1e-2", "10e-4", "0.001"])
@pytest.mark.parametrize("decay", ["5e-4", ".5e-3", "5.0E-4"])
@pytest.mark.parametrize("steps", ["1e5", "1.0e5", "1e+5", "100000", "1e5  # a comment"])
def test_every_way_of_writing_a_number_gives_the_same_job(tmp_path: Path, rate: str, decay: str, steps: str):
    assert to_plain(_job(tmp_path, rate=rate, decay=decay, steps=steps).job) == to_plain(_job(tmp_path).job)


def test_a_count_with_an_exponent_is_an_integer(tmp_path: Path):
    steps = _job(tmp_path, steps="1e5").job.spec.train.max_steps
    assert (steps, type(steps)) == (100_000, int)


def test_the_command_line_and_the_environment_write_numbers_too(tmp_path: Path):
    path = tmp_path / "job.yaml"
    path.write_text(
        SPEC.format(rate="${RATE}", decay="0", steps="${STEPS:-1e2}").replace(
            "{type: adam, learning_rate: ${RATE}, weight_decay: 0}", "\n      type: adam\n      learning_rate: ${RATE}"
        )
    )
    train = load_job(path, sets=("spec.train.epochs=1e1",), env={"RATE": "1e-3"}).job.spec.train
    assert (train.dense_optimizer.learning_rate, train.max_steps, train.epochs) == (0.001, 100, 10)


@pytest.mark.parametrize("rate", ['"1e-3"', "1e-3x", "1e", "1 e-3", "1,0e-3", "001e-3", "fast", "true", "[1e-3]"])
def test_what_is_no_number_is_refused_with_its_path(tmp_path: Path, rate: str):
    path = tmp_path / "job.yaml"
    path.write_text(SPEC.format(rate=rate, decay="0", steps="1"))
    checked = check_job(path)
    assert checked.loaded is None
    found = [diagnostic for diagnostic in checked.diagnostics if diagnostic.severity == "error"]
    assert {diagnostic.path for diagnostic in found} <= {
        "spec.train.dense_optimizer.learning_rate",
        "spec.train.dense_optimizer",  # a comma between braces begins another key
    }
    assert all(diagnostic.help for diagnostic in found)
