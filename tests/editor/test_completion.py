"""What an editor offers and shows while a spec is written."""

from tests.editor.language_server import Editor

HEAD = """\
# yaml-language-server: $schema=../schemas/trainingjob.schema.json
apiVersion: recplat.io/v1alpha1
kind: TrainingJob
metadata: {name: job}
"""
SPEC = (
    HEAD
    + """\
spec:
  data:
    source: {path: rows.parquet}
    split: {by: random}
    label: {column: clicked}
  features:
    - {name: user_id, type: categorical, dim: 16}
"""
)
MODEL = SPEC + "  model:\n    type: dlrm\n"


def test_the_outermost_fields_are_offered(editor: Editor):
    assert {"spec", "extends"} <= editor.offered(HEAD + "|")


def test_the_sections_are_offered(editor: Editor):
    offered = editor.offered(HEAD + "spec:\n  |")
    assert {"data", "features", "tables", "model", "train", "resources", "optimizations"} <= offered


def test_the_fields_of_a_section_are_offered(editor: Editor):
    offered = editor.offered(MODEL + "  train:\n    |")
    assert {"batch_size", "epochs", "dense_optimizer", "checkpoint"} <= offered
    assert "procs_per_node" not in offered


def test_the_fields_of_the_chosen_split_are_offered(editor: Editor):
    text = SPEC.replace("    split: {by: random}\n", "    split:\n      by: time\n      |\n")
    offered = editor.offered(text)
    assert {"column", "ties", "fractions"} <= offered
    assert "seed" not in offered


def test_the_fields_of_the_chosen_feature_are_offered(editor: Editor):
    offered = editor.offered(SPEC + "    - name: age\n      type: numeric\n      |")
    assert {"column", "transform"} <= offered
    assert offered.isdisjoint({"dim", "table", "max_length"})


def test_the_fields_of_a_feature_in_braces_are_offered(editor: Editor):
    # Between braces the server answers from the first letter on.
    assert {"dim", "table", "pooling"} <= editor.offered(SPEC + "    - {name: item_id, type: categorical, d|}")


def test_the_options_of_the_chosen_model_are_offered(editor: Editor):
    offered = editor.offered(MODEL + "    |")
    assert {"bottom_mlp", "top_mlp", "dropout"} <= offered
    assert "num_cross_layers" not in offered


def test_the_options_of_the_chosen_transform_are_offered(editor: Editor):
    item = "    - name: item_id\n      type: categorical\n      transform:\n        type: hash\n        |"
    assert {"buckets", "seed"} <= editor.offered(SPEC + item)


def test_the_options_of_a_toggle_are_offered(editor: Editor):
    offered = editor.offered(MODEL + "  optimizations:\n    compile:\n      |")
    assert {"preset", "fullgraph", "mode"} <= offered


def test_the_names_of_models_are_offered(editor: Editor):
    offered = editor.offered(SPEC + "  model:\n    type: |\n")
    assert {"dlrm", "deepfm", "dcn_v2", "logistic_regression"} <= offered
    assert {"dlrm", "deepfm"} <= editor.offered(SPEC + "  model: |\n")


def test_the_types_of_features_are_offered(editor: Editor):
    assert {"categorical", "numeric", "sequence"} <= editor.offered(SPEC + "    - name: age\n      type: |\n")


def test_the_names_of_transforms_are_offered(editor: Editor):
    offered = editor.offered(SPEC + "    - name: age\n      type: numeric\n      transform: |\n")
    assert {"zscore", "log1p"} <= offered
    assert "hash" not in offered  # a name alone does not say how many buckets


def test_values_are_offered(editor: Editor):
    assert {"auto", "cpu", "cuda"} <= editor.offered(MODEL + "  resources:\n    device: |\n")
    assert {"auto", "bf16", "fp32"} <= editor.offered(MODEL + "  optimizations:\n    precision: |\n")
    assert {"true", "false"} <= editor.offered(SPEC.replace("dim: 16", "dim: 16, multivalent: |"))


def test_descriptions_are_shown(editor: Editor):
    assert "What is predicted" in editor.shown(SPEC.replace("label: {", "la|bel: {"))
    assert "Rows of a step over all ranks" in editor.shown(MODEL + "  train:\n    batch_|size: 4096\n")
    assert "Hidden layers of the top MLP" in editor.shown(MODEL + "    top_|mlp: [256]\n")
    assert "Columns of its table" in editor.shown(SPEC.replace("dim: 16", "di|m: 16"))
    assert "Compiles the dense part" in editor.shown(MODEL + "  optimizations:\n    comp|ile: auto\n")
