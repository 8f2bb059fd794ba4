import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from recplat.cli import cli

ROOT = Path(__file__).parent.parent.parent


def _schema(*arguments: object) -> Any:
    result = CliRunner().invoke(cli, ["schema", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("form", ["authoring", "normal"])
def test_it_is_the_one_that_lies_in_the_repository(form: str):
    name = "trainingjob.schema.json" if form == "authoring" else "trainingjob.normal.schema.json"
    assert _schema("--form", form) == json.loads((ROOT / "schemas" / name).read_text())


def test_a_model_of_ones_own_is_in_the_schema_of_a_spec_that_is_not_right_yet(tmp_path: Path):
    folder = tmp_path / "catalog" / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "options.py").write_text(
        "from typing import Annotated\n"
        "from recplat.lang import kinds\n"
        "from recplat.lang.fields import doc\n"
        'class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="mine"):\n'
        '    """A model of our own."""\n'
        '    depth: Annotated[int, doc("Layers.", 3, ge=1)] = 3\n'
    )
    spec = tmp_path / "job.yaml"
    spec.write_text("spec:\n  catalog: [./catalog]\n  model: {type: mine, depth: many}\n")
    schema = _schema(spec)
    Draft202012Validator.check_schema(schema)
    assert schema["$defs"]["models.mine"]["properties"]["depth"]["else"]["minimum"] == 1


def test_a_catalog_that_can_not_be_used_is_told(tmp_path: Path):
    spec = tmp_path / "job.yaml"
    spec.write_text("spec:\n  catalog: [./absent]\n")
    result = CliRunner().invoke(cli, ["schema", str(spec)])
    assert result.exit_code == 1
    assert f"{spec}:2:13  spec.catalog" in result.stderr
