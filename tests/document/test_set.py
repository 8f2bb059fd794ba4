import pytest

from recplat.diagnostics import Problems, render_text
from recplat.document import SET_FILE, load, to_plain
from tests.document.document_builder import codes, faults, span

SPEC = """\
spec:
  train: {lr: 0.1, seed: 1}
  features:
    - {name: [user_id, item_id], dim: 16}
    - {name: "a.b", dim: 4}
  layers: [64, 32]
  empty: null
"""


def after(folder, *sets: str) -> object:
    folder(SPEC)
    return to_plain(load("main.yaml", sets=sets, env={"N": "7"}).root)["spec"]  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("spec.train.lr=1e-3", "train", {"lr": 0.001, "seed": 1}),
        ("spec.train.new=yes", "train", {"lr": 0.1, "seed": 1, "new": "yes"}),
        ("spec.train=[1, {a: b}]", "train", [1, {"a": "b"}]),
        ("spec.train={lr: 2}", "train", {"lr": 2}),
        ("spec.train.lr=null", "train", {"seed": 1}),
        ("spec.train.lr=", "train", {"seed": 1}),
        ("spec.train.lr= 5 ", "train", {"lr": 5, "seed": 1}),
        ("spec.train.lr='5'", "train", {"lr": "5", "seed": 1}),
        ("spec.label=>= 4", "label", ">= 4"),
        ("spec.label=a=b: c # d", "label", "a=b: c # d"),
        ("spec.glob=*.csv", "glob", "*.csv"),
        ("spec.new.deep.key=012", "new", {"deep": {"key": "012"}}),
        ("spec.empty.key=1", "empty", {"key": 1}),
        ("spec.layers[0]=1", "layers", [1, 32]),
        ("spec.layers.1=1", "layers", [64, 1]),
        ("spec.layers.0=null", "layers", [32]),
        ('spec."x.y"=1', "x.y", 1),
        ("spec.rows=${N}", "rows", 7),
        ('spec.rows="${N}"', "rows", "7"),
    ],
)
def test_value_is_set(folder, text, key, value):
    assert after(folder, text)[key] == value  # type: ignore[index]


def test_item_is_addressed_by_name(folder):
    changed = after(folder, "spec.features.item_id.dim=8", 'spec.features."a.b".dim=5', "spec.features[0].x=1")
    assert changed["features"] == [  # type: ignore[index]
        {"name": "user_id", "dim": 16, "x": 1},
        {"name": "item_id", "dim": 8},
        {"name": "a.b", "dim": 5},
    ]


def test_item_can_be_removed_and_names_in_a_value_are_written_out(folder):
    assert len(after(folder, "spec.features.user_id=null")["features"]) == 2  # type: ignore[index]
    assert after(folder, "spec.features=[{name: [a, b]}]")["features"] == [{"name": "a"}, {"name": "b"}]  # type: ignore[index]


def test_later_setting_wins_and_sees_the_earlier(folder):
    assert after(folder, "spec.new={a: 1}", "spec.new.b=2", "spec.new.a=3")["new"] == {"a": 3, "b": 2}  # type: ignore[index]


def test_setting_an_alias_changes_one_place_only(folder):
    folder("a: &a {x: 1}\nb: *a")
    assert to_plain(load("main.yaml", sets=["b.x=2"]).root) == {"a": {"x": 1}, "b": {"x": 2}}


def test_place_is_in_the_text_that_was_given(folder):
    folder(SPEC)
    sets = ["spec.train.lr=1", "spec.train.nwe = {a: [5]}"]
    document = load("main.yaml", sets=sets)
    where = document.locate("spec.train.nwe.a.0")
    assert (where.file, *span(where)) == (SET_FILE, 2, 23, 24)
    assert document.locate("spec.train").file == "main.yaml"
    assert document.source(SET_FILE) == "\n".join(sets)
    train = document.root.get("spec").get("train")  # type: ignore[union-attr]
    assert span(train.entries["nwe"].location) == (2, 12, 16)  # type: ignore[union-attr]


def test_relative_path_in_a_setting_counts_from_the_working_directory(folder):
    path = folder("a: 1")
    document = load("main.yaml", sets=["b=../data"])
    assert document.origin(document.root.entries["b"].node) == path


def test_setting_overrides_a_variable_that_is_not_set(folder):
    folder("a: ${NOT_SET}")
    assert to_plain(load("main.yaml", sets=["a=1"], env={}).root) == {"a": 1}


@pytest.mark.parametrize(
    "text", ["", "a", "=1", "a..b=1", ".a=1", "a.=1", "a[0=1", 'a."b=1', "a[0]b=1", ".".join("a" * 65) + "=1"]
)
def test_text_that_can_not_be_read(folder, text):
    folder(SPEC)
    [fault] = faults(lambda: load("main.yaml", sets=["spec.ok=1", text]))
    assert fault.code == "set-syntax"
    assert fault.location is not None
    assert (fault.location.file, fault.location.line) == (SET_FILE, 2)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("spec.features.userid.dim=8", 15, "did you mean `spec.features.user_id`?"),
        ("spec.features.zzzzz.dim=8", 15, "`user_id`, `item_id`"),
        ("spec.features[7].dim=8", 14, "`user_id`"),
        ("spec.layers.2=8", 13, "from 0 to 1"),
        ("spec.layers.first=8", 13, "from 0 to 1"),
        ("spec.train.lr.x=8", 15, "spec.train.lr"),
    ],
)
def test_path_that_leads_nowhere(folder, text, column, words):
    folder(SPEC)
    [fault] = faults(lambda: load("main.yaml", sets=[text]))
    assert fault.code == "set-path"
    assert span(fault.location)[1] == column
    assert words in fault.help


def test_yaml_faults_in_a_value_point_into_the_text(folder):
    folder(SPEC)
    found = faults(lambda: load("main.yaml", sets=["a={b: 1, b: 2}", "c=[1"]))
    assert [(fault.code, *span(fault.location)) for fault in found] == [
        ("duplicate-key", 1, 10, 11),
        ("yaml-not-closed", 2, 3, 4),
    ]


def test_caret_shows_into_the_text(folder):
    folder(SPEC)
    with pytest.raises(Problems) as problems:
        load("main.yaml", sets=["spec.features.userid.dim=8"])
    text = render_text(problems.value.diagnostics, color=False, read_source=problems.value.sources.get)
    assert "1 | spec.features.userid.dim=8\n  |               ^^^^^^\n" in text


def test_all_settings_that_fail_are_told(folder):
    folder(SPEC)
    assert codes(lambda: load("main.yaml", sets=["spec.train.lr.x=1", "spec.layers.9=1"])) == ["set-path", "set-path"]


def test_setting_another_type_keeps_only_the_name(folder):
    folder("models: [{name: a, type: dlrm, top: [1], dim: 2}]\nmodel: {type: deepfm, hidden: [64]}")
    root = to_plain(load("main.yaml", sets=("models.a.type=dcn", "model.type=dlrm", "model.top=[8]")).root)
    assert root == {"models": [{"name": "a", "type": "dcn"}], "model": {"type": "dlrm", "top": [8]}}


def test_setting_the_same_type_keeps_the_options(folder):
    folder("model: {type: deepfm, hidden: [64]}")
    assert to_plain(load("main.yaml", sets=("model.type=deepfm",)).root) == {
        "model": {"type": "deepfm", "hidden": [64]}
    }
