import os

import pytest

from recplat.document import Document, item_name, load, to_plain
from tests.document.document_builder import codes, faults, span


def names(document: Document, key: str = "features") -> list[object]:
    return [item_name(item) for item in document.root.get(key).items]  # type: ignore[union-attr]


def test_maps_merge_and_everything_else_is_replaced(folder):
    folder("extends: base.yaml\na: {x: 1, n: {p: 1}}\nl: [9]", base="a: {x: 0, y: 2, n: {q: 2}}\nl: [1, 2]\ns: 5")
    assert to_plain(load("main.yaml").root) == {
        "a": {"x": 1, "y": 2, "n": {"q": 2, "p": 1}},
        "l": [9],
        "s": 5,
    }


@pytest.mark.parametrize("tag", ["type", "by"])
def test_another_type_keeps_none_of_the_old_options(folder, tag):
    folder(f"extends: base.yaml\nmodel: {{{tag}: new, c: 3}}", base=f"model: {{{tag}: old, a: 1, n: {{b: 2}}}}")
    assert to_plain(load("main.yaml").root) == {"model": {tag: "new", "c": 3}}


def test_the_same_type_keeps_the_options(folder):
    folder("extends: base.yaml\nmodel: {type: old, c: 3}", base="model: {type: old, a: 1}")
    assert to_plain(load("main.yaml").root) == {"model": {"type": "old", "a": 1, "c": 3}}


def test_extends_itself_is_gone(folder):
    folder("extends: base.yaml", base="a: 1")
    assert "extends" not in load("main.yaml").root.entries


def test_lists_of_named_things_merge_by_name_in_the_order_of_the_base(folder):
    folder(
        "extends: base.yaml\nfeatures: [{name: new, dim: 1}, {name: b, dim: 9}]",
        base="features: [{name: a, dim: 2}, {name: b, dim: 3, type: x}]",
    )
    assert to_plain(load("main.yaml").root) == {
        "features": [{"name": "a", "dim": 2}, {"name": "b", "dim": 9, "type": "x"}, {"name": "new", "dim": 1}]
    }


def test_names_in_a_list_are_written_out_before_merging(folder):
    folder("extends: base.yaml\nfeatures: [{name: b, dim: 9}]", base="features: [{name: [a, b, c], dim: 2}]")
    document = load("main.yaml")
    assert to_plain(document.root) == {
        "features": [{"name": "a", "dim": 2}, {"name": "b", "dim": 9}, {"name": "c", "dim": 2}]
    }
    assert span(document.locate("features.c.name")) == (1, 26, 27)


def test_name_given_twice_in_one_file_stays_twice(folder):
    folder("extends: base.yaml\nfeatures: [{name: a, x: 1}, {name: a, x: 2}]", base="features: [{name: a, y: 1}]")
    assert to_plain(load("main.yaml").root) == {"features": [{"name": "a", "y": 1, "x": 1}, {"name": "a", "x": 2}]}
    folder("features: [{name: [a, b, a]}]")
    assert names(load("main.yaml")) == ["a", "b", "a"]


@pytest.mark.parametrize("items", ["[{name: a}, 1]", "[{name: a}, {dim: 1}]", "[]", "[{name: null}]", "[{name: []}]"])
def test_list_with_an_item_without_name_replaces(folder, items):
    folder(f"extends: base.yaml\nl: {items}", base="l: [{name: a, x: 1}, {name: b}]")
    plain = to_plain(load("main.yaml").root)
    assert plain == to_plain(load("main.yaml", sets=[f"l={items}"]).root)


def test_null_removes_what_the_base_has(folder):
    folder("extends: base.yaml\na: null\nb: {x: ~}\nc: null", base="a: 1\nb: {x: 1, y: 2}\n")
    # With nothing to remove the null stays, so that a misspelt key is noticed.
    assert to_plain(load("main.yaml").root) == {"b": {"y": 2}, "c": None}


def test_later_of_several_bases_wins_and_the_file_itself_over_all(folder):
    folder("extends: [one.yaml, two.yaml]\nc: 3", one="a: 1\nb: 1\nc: 1", two="b: 2\nc: 2")
    assert to_plain(load("main.yaml").root) == {"a": 1, "b": 2, "c": 3}


def test_overlays_apply_in_order_and_may_extend(folder):
    folder("a: 1\nb: 1\nc: 1\nd: 1", one="b: 2\nc: 2", two="extends: more.yaml\nc: 3", more="d: 4\nc: 5")
    assert to_plain(load("main.yaml", overlays=["one.yaml", "two.yaml"]).root) == {"a": 1, "b": 2, "c": 3, "d": 4}


def test_paths_count_from_the_file_that_says_them(folder):
    path = folder("extends: sub/base.yaml")
    (path / "sub").mkdir()
    (path / "sub" / "base.yaml").write_text("extends: ../root.yaml\nb: ../data")
    (path / "root.yaml").write_text("a: 1\nc: data")
    document = load("main.yaml")
    assert to_plain(document.root) == {"a": 1, "b": "../data", "c": "data"}
    assert document.origin(document.root.entries["b"].node) == path / "sub"
    assert document.origin(document.root.entries["c"].node).resolve() == path
    assert document.directory == path
    assert document.files[0] == str(path / "main.yaml")
    assert [os.path.realpath(file) for file in document.files] == [
        str(path / name) for name in ("main.yaml", "sub/base.yaml", "root.yaml")
    ]


def test_each_value_keeps_the_file_it_came_from(folder):
    folder("extends: base.yaml\na: {x: 1}", base="a: {y: 2}\nb: 3", over="b: 4")
    document = load("main.yaml", overlays=["over.yaml"])
    places = {path: document.locate(path).file for path in ("a.x", "a.y", "b")}
    assert places == {"a.x": "main.yaml", "a.y": "base.yaml", "b": "over.yaml"}
    assert document.source("over.yaml") == "b: 4"
    assert document.source("other.yaml") is None


def test_base_read_twice_is_no_cycle(folder):
    folder("extends: [one.yaml, two.yaml]", one="extends: base.yaml\na: 1", two="extends: base.yaml\nb: 2", base="c: 3")
    assert to_plain(load("main.yaml").root) == {"a": 1, "b": 2, "c": 3}
    assert len(load("main.yaml").files) == 4


def test_cycle_shows_the_chain(folder):
    folder("extends: one.yaml", one="a: 1\nextends: two.yaml", two="extends: main.yaml")
    [fault] = faults(lambda: load("main.yaml"))
    assert fault.code == "extends-cycle"
    assert "`main.yaml` -> `one.yaml` -> `two.yaml` -> `main.yaml`" in fault.message
    assert fault.location is not None
    assert fault.location.file == "two.yaml"
    assert [(place.location.file, place.location.line) for place in fault.related] == [
        ("main.yaml", 1),
        ("one.yaml", 2),
    ]


def test_file_that_extends_itself(folder):
    folder("extends: ./main.yaml")
    assert codes(lambda: load("main.yaml")) == ["extends-cycle"]


def test_missing_base_points_at_its_name_and_knows_a_better_one(folder):
    folder("kind: x\nextends: bsae.yaml", base="a: 1")
    [fault] = faults(lambda: load("main.yaml"))
    assert fault.code == "file-not-found"
    assert span(fault.location) == (2, 10, 19)
    assert "`base.yaml`" in fault.help


@pytest.mark.parametrize("value", ["1", "{a: b}", "[1]", "[[a]]", "[a.yaml, ~]", "''", "true"])
def test_extends_that_names_no_file(folder, value):
    folder(f"extends: {value}", a="x: 1")
    assert "extends-not-path" in codes(lambda: load("main.yaml", overlays=[]))


@pytest.mark.parametrize("value", ["null", "", "[]"])
def test_extends_of_nothing(folder, value):
    folder(f"extends: {value}\na: 1")
    assert to_plain(load("main.yaml").root) == {"a": 1}


@pytest.mark.parametrize(
    ("value", "code"), [("'a\\0b'", "file-not-found"), ('"a\\0b"', "file-unreadable"), (".", "file-is-folder")]
)
def test_extends_of_odd_paths(folder, value, code):
    folder(f"extends: {value}")
    assert codes(lambda: load("main.yaml")) == [code]


def test_extends_may_use_variables(folder):
    folder("extends: ${WHICH}.yaml", base="a: 1")
    assert to_plain(load("main.yaml", env={"WHICH": "base"}).root) == {"a": 1}
    assert codes(lambda: load("main.yaml", env={})) == ["variable-unset"]


def test_chain_has_a_limit(folder):
    chain = {f"level{i}": f"extends: level{i + 1}.yaml" for i in range(30)}
    folder("extends: level0.yaml", **chain)
    assert codes(lambda: load("main.yaml")) == ["extends-too-deep"]


def test_number_of_bases_has_a_limit(folder):
    folder("extends: [" + "base.yaml, " * 100 + "]", base="a: 1")
    assert set(codes(lambda: load("main.yaml"))) == {"extends-too-deep"}


def test_faults_of_all_files_are_told_together(folder):
    folder("extends: base.yaml\na: 1\na: 2", base="b: 1\nb: 2", over="c: [", other="- 1")
    overlays = ["over.yaml", "other.yaml", "none.yaml"]
    assert codes(lambda: load("main.yaml", overlays=overlays, sets=["x"])) == [
        "duplicate-key",
        "yaml-not-closed",
        "document-not-map",
        "set-syntax",
        "file-not-found",
    ]


@pytest.mark.parametrize(("text", "found"), [("- 1", "a list"), ("abc", "`abc`"), ("a:1", "`a:1`")])
def test_file_that_is_no_map(folder, text, found):
    folder(text)
    [fault] = faults(lambda: load("main.yaml"))
    assert fault.code == "document-not-map"
    assert found in fault.message


def test_names_that_repeat_too_much(folder):
    folder("l:\n- name: [" + ",".join(f"n{i}" for i in range(2000)) + "]\n  x: [" + "1," * 1000 + "]")
    assert codes(lambda: load("main.yaml")) == ["names-too-many"]


def test_ten_thousand_names_are_fine(folder):
    folder("l:\n- name: [" + ",".join(f"n{i}" for i in range(10_000)) + "]\n  x: 1")
    assert len(names(load("main.yaml"), "l")) == 10_000


def test_folder_and_missing_main_file(folder):
    path = folder("a: 1", other="b: 1")
    assert codes(lambda: load(path)) == ["file-is-folder"]
    [fault] = faults(lambda: load("mian.yaml"))
    assert (fault.code, fault.location) == ("file-not-found", None)
    assert "`main.yaml`" in fault.help
    assert codes(lambda: load("no/such/folder.yaml")) == ["file-not-found"]
    assert codes(lambda: load("main.yaml/x.yaml")) == ["file-not-found"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(folder):
    path = folder("a: 1")
    (path / "main.yaml").chmod(0)
    assert codes(lambda: load("main.yaml")) == ["file-unreadable"]


def test_endless_file_is_refused():
    assert codes(lambda: load("/dev/zero")) == ["file-too-large"]
