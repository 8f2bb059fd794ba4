import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recplat.catalog import KINDS, builtin_catalog
from recplat.cli import cli
from recplat.diagnostics import known_codes
from recplat.spec.explain import explain_topic


def _explain(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["explain", *arguments])


def test_a_code_is_explained_with_its_text():
    result = _explain("fbgemm-wrong-build")
    assert result.exit_code == 0
    assert result.output.startswith("# fbgemm is built for another kind of machine\n")


@pytest.mark.parametrize("path", ["spec.train.batch_size", "train.batch_size"])
def test_a_field_tells_its_type_default_and_meaning(path: str):
    output = _explain(path).output
    assert "integer ≥ 1" in output
    assert "default `2048`" in output
    assert "Rows of a step over all ranks" in output


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("spec.split.column", None),
        ("data.split.column", "The column that"),
        ("spec.features[0].categorical.pooling", "How the embeddings"),
        ("spec.sharding.tables.item_id.rank", "Rank that holds"),
        ("deepfm.dropout", "drops at random"),
        ("optimizations.precision", "bf16"),
        ("evaluate.metrics.auc", "auc"),
        ("epochs", "Passes over the training rows"),
        ("data.split.by", "`random`, `time`, `column`"),
        ("features.type", "recplat explain features.numeric"),
        ("train.dense_optimizer.learning_rate", "recplat explain dense_optimizers.adam.learning_rate"),
        ("resources.procs_per_node", "Its older name `procs_per_node`"),
    ],
)
def test_topics_are_found_at_any_depth(topic: str, expected: str | None):
    result = _explain(topic)
    if expected is None:
        assert result.exit_code == 1
    else:
        assert expected in result.output


def test_a_section_lists_its_fields():
    explanation = explain_topic("spec.resources", builtin_catalog())
    assert {"device", "nodes", "ranks_per_node"} <= {field.name for field in explanation.fields}


def test_a_kind_lists_its_entries():
    assert "models.deepfm" in explain_topic("spec.model", builtin_catalog()).choices


def test_every_entry_of_the_catalog_is_explained():
    catalog = builtin_catalog()
    for kind in KINDS:
        for name in catalog.names(kind):
            assert explain_topic(f"{kind}.{name}", catalog).text, f"{kind}.{name}"


@pytest.mark.parametrize(
    ("topic", "help"),
    [
        ("adam", "say which: `dense_optimizers.adam`, `embedding_optimizers.adam`"),
        ("deepfn", "did you mean `deepfm`?"),
        ("fbgemm-wrong-bild", "did you mean `fbgemm-wrong-build`?"),
        ("qqqqqq", "begin with `recplat explain spec`"),
        ("train.batchsize", "did you mean `spec.train.batch_size`?"),
        ("trian.epochs", "did you mean `train.epochs`?"),
        ("seed", "say which: `spec.data.split.seed`, `spec.train.seed`"),
    ],
)
def test_an_unknown_topic_gets_a_remedy(topic: str, help: str):
    result = _explain(topic)
    assert result.exit_code == 1
    assert help in result.stderr


def test_json_holds_what_the_text_says():
    answer = json.loads(_explain("spec.train", "-o", "json").output)
    assert answer["title"] == "train"
    assert "batch_size" in [field["name"] for field in answer["fields"]]
    assert json.loads(_explain(known_codes()[0], "-o", "json").output)["text"].startswith("# ")


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("features.categorical.transform", "One may stand alone"),
        ("train.dense_optimizer", "A name alone will do: `adagrad`, `adam`, `adamw` or `sgd`."),
        ("optimizations.precision", "A value of `dtype` may stand alone"),
        ("tables.name", "`name: [a, b]` repeats the line"),
        ("data.source.path", "counts from the folder of the file"),
        ("train.batch_size", "`${NAME}` without quotes"),
    ],
)
def test_what_authors_may_write_in_its_place_is_told(topic: str, expected: str):
    assert expected in _explain(topic).output


def test_a_model_of_ones_own_is_explained_where_a_spec_names_its_folder(tmp_path: Path):
    folder = tmp_path / "catalog" / "models" / "toy"
    folder.mkdir(parents=True)
    (folder / "options.py").write_text(
        "from recplat.lang import kinds\n"
        'class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="toy"):\n'
        '    """A model to play with."""\n'
    )
    spec = tmp_path / "job.yaml"
    spec.write_text("spec: {catalog: [./catalog]}\n")
    assert _explain("models.toy").exit_code == 1
    for topic in ("models.toy", "toy"):
        result = _explain(topic, "--spec", str(spec))
        assert result.exit_code == 0
        assert "A model to play with." in result.output
    assert "models.toy" in _explain("models", "--spec", str(spec)).output
