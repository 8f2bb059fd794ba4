import pytest

from recplat.document import Mapping, parse, to_plain
from recplat.document.limits import MAX_BYTES, MAX_DEPTH
from tests.document.document_builder import codes, faults, span


def refused(text: str | bytes) -> list[str]:
    return codes(lambda: parse(text, "f.yaml"))


def test_duplicate_key_shows_both_lines():
    [fault] = faults(lambda: parse("train:\n  batch_size: 1024\n  seed: 1\n  batch_size: 64\n", "f.yaml"))
    assert (fault.code, fault.path) == ("duplicate-key", "train.batch_size")
    assert span(fault.location) == (4, 3, 13)
    assert [span(related.location) for related in fault.related] == [(2, 3, 13)]


def test_all_duplicates_are_told_at_once_with_names_of_items():
    found = faults(lambda: parse("a: 1\na: 2\nitems:\n- {name: x, d: 1, d: 2}\n- {d: 1, d: 2}\n'a': 3", "f.yaml"))
    assert [fault.path for fault in found] == ["a", "items.x.d", "items.1.d", "a"]


def test_keys_that_differ_only_in_quotes_are_the_same():
    assert refused("a: 1\n'a': 2") == ["duplicate-key"]


def test_merge_key_overridden_on_purpose_is_no_duplicate():
    root = parse("base: &b {lr: 1, seed: 2}\ntrain: {<<: *b, lr: 3}\nlater: {lr: 4, <<: *b}", "f.yaml")
    assert to_plain(root) == {
        "base": {"lr": 1, "seed": 2},
        "train": {"lr": 3, "seed": 2},
        "later": {"lr": 4, "seed": 2},
    }


def test_merge_of_several_maps_takes_the_first_that_has_the_key():
    root = parse("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}", "f.yaml")
    assert isinstance(root, Mapping)
    assert to_plain(root)["c"] == {"x": 1, "y": 2, "z": 3}  # type: ignore[index, call-overload]


def test_merged_value_keeps_the_place_of_the_anchor():
    root = parse("a: &a\n  x: 1\nc:\n  <<: *a\n  z: 3", "f.yaml")
    assert isinstance(root, Mapping)
    merged = root.get("c")
    assert isinstance(merged, Mapping)
    assert merged.entries["x"].location.line == 2


def test_merge_key_given_twice_is_a_duplicate():
    assert refused("a: &a {x: 1}\nb: {<<: *a, <<: *a}") == ["duplicate-key"]


def test_quoted_merge_key_is_a_name():
    assert to_plain(parse("'<<': 1", "f")) == {"<<": 1}


@pytest.mark.parametrize("value", ["1", "[1]", "x", ""])
def test_merge_of_something_else(value):
    assert refused(f"<<: {value}") == ["yaml-merge-key"]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("1: a", '"1"'), ("1.5: a", '"1.5"'), ("true: a", '"true"'), ("~: a", '"~"'), ("null: a", '"null"')],
)
def test_key_that_is_not_a_string_gets_quotes_as_remedy(text, quoted):
    [fault] = faults(lambda: parse(text, "f.yaml"))
    assert fault.code == "key-not-string"
    assert quoted in fault.help
    assert fault.fix is not None
    assert fault.fix.edits[0].text == quoted


@pytest.mark.parametrize(
    "text", [": a", "? [a, b]\n: c", "? {a: b}\n: c", "{a: 1}: 2", "[a]: 2", "a: {{ x }}", "? a: 1\n: b"]
)
def test_key_that_is_no_scalar(text):
    assert set(refused(text)) == {"key-not-string"}


def test_alias_may_be_a_key():
    assert to_plain(parse("a: &x name\n*x : 1", "f")) == {"a": "name", "name": 1}


@pytest.mark.parametrize("text", ["", " ", "\n\n", "# note\n", "---\n", "---\n# note\n", "\ufeff", "%YAML 1.2\n---\n"])
def test_empty_file(text):
    assert refused(text) == ["file-empty"]


@pytest.mark.parametrize(
    "text", ["a: 1\n---\nb: 2", "a: 1\n---\n", "a: 1\n...\n---\nb: 2", "a: 1\n...\nb: 2", "{a: 1}\nb"]
)
def test_second_document(text):
    assert refused(text) == ["yaml-many-documents"]


@pytest.mark.parametrize(
    "text", ["--- \na: 1", "a: 1\n...\n", "%YAML 1.2\n---\na: 1", "--- {a: 1}", "# x\n---\na: 1\n# y"]
)
def test_document_markers_around_one_document_are_fine(text):
    assert to_plain(parse(text, "f")) == {"a": 1}


@pytest.mark.parametrize(
    "tag", ["!!python/object:os.system", "!env", "!!set", "!<tag:x,2000:y>", "!!binary", "!!timestamp"]
)
@pytest.mark.parametrize("value", ["x", "[x]", "{x: y}"])
def test_unknown_tag(tag, value):
    assert refused(f"a: {tag} {value}") == ["yaml-tag"]


@pytest.mark.parametrize(
    "text", ["a: !!map [x]", "a: !!seq {x: y}", "a: !!str [x]", "%TAG ! tag:x,2000:\n---\na: !b c"]
)
def test_misused_tag(text):
    assert refused(text) == ["yaml-tag"]


@pytest.mark.parametrize("text", ["a: !!map {x: y}", "a: !!seq [x]"])
def test_tag_that_says_what_is_there_anyway(text):
    assert refused(text) == []


def test_alias_without_anchor_names_the_nearest():
    [fault] = faults(lambda: parse("a: &defaults {x: 1}\nb: *default", "f.yaml"))
    assert (fault.code, fault.path) == ("yaml-alias-unknown", "b")
    assert "*defaults" in fault.help


def test_anchor_counts_only_after_it():
    assert refused("a: *x\nb: &x 1") == ["yaml-alias-unknown"]


@pytest.mark.parametrize("text", ["a: &x [*x]", "&x {a: *x}", "a: &x {b: [1, {c: *x}]}", "a: &x {<<: *x}"])
def test_alias_inside_its_own_anchor(text):
    assert "yaml-alias-recursive" in refused(text)


def test_anchor_may_be_given_anew():
    assert to_plain(parse("a: &x 1\nb: *x\nc: &x 2\nd: *x", "f")) == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_alias_bomb():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    assert refused("\n".join(lines)) == ["yaml-alias-bomb"]


def test_merge_bomb():
    lines = ["a0: &a0 {k0: [x, x, x, x, x, x, x, x, x, x]}"]
    lines += [f"a{i}: &a{i} {{" + ", ".join(f"k{j}: *a{i - 1}" for j in range(10)) + "}" for i in range(1, 9)]
    assert refused("\n".join(lines)) == ["yaml-alias-bomb"]


def test_depth_through_aliases_counts():
    lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 70)]
    assert refused("\n".join(lines)) == ["yaml-too-deep"]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}")])
def test_depth_has_a_limit_that_is_told(opening, closing):
    assert refused(opening * MAX_DEPTH + "x" + closing * MAX_DEPTH) == []
    assert refused(opening * (MAX_DEPTH + 1) + "x" + closing * (MAX_DEPTH + 1)) == ["yaml-too-deep"]


@pytest.mark.parametrize("opening", ["[", "{", "{a: ", "- ", "? ", "[{a: ", "- - ? "])
def test_hostile_depth_is_a_diagnostic(opening):
    assert refused(opening * 100_000) == ["yaml-too-deep"]


def test_too_many_values():
    assert refused("[" + "a," * 600_000 + "a]") == ["yaml-too-many-nodes"]


def test_file_over_the_limit_is_not_parsed():
    assert refused("a: " + "x" * MAX_BYTES) == ["file-too-large"]
    assert refused(b"\xff" * (MAX_BYTES + 1)) == ["file-too-large"]


def test_search_stops_after_a_hundred_faults_and_says_so():
    found = refused("a: 1\n" * 1000)
    assert found.count("duplicate-key") == 100
    assert found[-1] == "too-many-faults"


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ufffe", "\ud800"])
def test_character_that_yaml_forbids(character):
    [fault] = faults(lambda: parse(f"a: 1\nb: x{character}y\n", "f.yaml"))
    assert fault.code == "yaml-character"
    assert span(fault.location) == (2, 5, 6)


def test_byte_order_mark_in_the_middle():
    assert refused("a: 1\n\ufeffb: 2") == ["yaml-character"]


def test_ordinary_characters_of_all_planes_are_fine():
    assert to_plain(parse("a: \t x\u00a0é中😀 \t\n", "f")) == {"a": "x\u00a0é中😀"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"a: b\nc: \xff", "file-not-utf8"),
        (b"a: \xc3", "file-not-utf8"),
        ("a: 1".encode("utf-16"), "file-not-utf8"),
        (b"PAR1\x00\x00\x15\x04", "file-is-binary"),
        (bytes(range(256)), "file-is-binary"),
    ],
)
def test_bytes_that_are_not_text(content, code):
    assert refused(content) == [code]


def test_place_of_the_first_byte_that_is_not_utf8():
    [fault] = faults(lambda: parse("\ufeffa: é\r\nbé: ".encode() + b"\xff", "f.yaml"))
    assert span(fault.location) == (2, 5, 6)


def test_faults_before_a_syntax_error_are_told_as_well():
    assert refused("a: 1\na: 2\nb: [") == ["duplicate-key", "yaml-not-closed"]
