"""What an editor marks as wrong in a spec."""

import pytest

from tests.editor.language_server import ROOT, Editor
from tests.editor.test_completion import MODEL, SPEC


@pytest.mark.parametrize("spec", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda spec: spec.name)
def test_nothing_is_marked_in_the_examples(editor: Editor, spec):
    assert editor.marked(spec.read_text()) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(MODEL + "  train:\n    batch_size: ${BATCH_SIZE:-4096}\n", id="a number from a variable"),
        pytest.param(MODEL + "  resources:\n    device: ${DEVICE}\n    time_limit: ${LIMIT}\n", id="a value from one"),
        pytest.param(MODEL.replace("type: dlrm", "type: ${MODEL}"), id="a name from one"),
        pytest.param(MODEL.replace("name: job", 'name: "job-${USER}"'), id="a part of a text from one"),
        pytest.param(MODEL + "  optimizations:\n    grad_accumulation: ${PIECES}\n", id="a shorthand from one"),
        pytest.param(MODEL.replace("name: user_id", "name: [user_id, item_id]"), id="several names"),
        pytest.param(SPEC + "  model: dcn_v2\n", id="a name alone"),
        pytest.param(MODEL + "  optimizations: {precision: bf16, compile: true, grad_accumulation: 4}\n", id="toggles"),
        pytest.param(MODEL + "  train:\n    max_steps:\n", id="nothing behind a key"),
        pytest.param(MODEL + "  train: {max_steps: 1e4}\n", id="a count with an exponent"),
    ],
)
def test_what_validate_takes_is_not_marked(editor: Editor, text):
    assert editor.marked(text) == []


@pytest.mark.parametrize(
    ("text", "at", "word"),
    [
        pytest.param(MODEL + "  train:\n    batch-size: 64\n", "batch-size", "batch-size", id="a misspelt field"),
        pytest.param(MODEL + "    num_cross_layers: 3\n", "num_cross", "num_cross_layers", id="another model's option"),
        pytest.param(MODEL + "  train:\n    batch_size: many\n", "many", "integer", id="a word for a number"),
        pytest.param(MODEL + "  train:\n    batch_size: 0\n", "batch_size", "minimum", id="a number too small"),
        pytest.param(MODEL + "  resources:\n    device: gpu\n", "gpu", "cuda", id="an unknown value"),
        pytest.param(MODEL.replace("type: dlrm", "type: dlmr"), "dlmr", "dlrm", id="an unknown model"),
        pytest.param(SPEC + "  model: dlmr\n", "dlmr", "dlrm", id="an unknown model alone"),
        pytest.param(MODEL.replace("type: categorical", "type: sparse"), "sparse", "categorical", id="unknown type"),
        pytest.param(
            MODEL + "  resources:\n    procs_per_node: 2\n", "procs_", "ranks_per_node", id="a field's old name"
        ),
    ],
)
def test_a_mistake_is_marked_once_where_it_stands(editor: Editor, text: str, at: str, word: str):
    line = next(number for number, content in enumerate(text.splitlines()) if at in content)
    [mark] = editor.marked(text)
    assert mark[0] == line
    assert word in mark[1]
