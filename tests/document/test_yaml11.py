import pytest

from recplat.document import load, parse, yaml11_differences
from tests.document.document_builder import span


@pytest.mark.parametrize(
    ("text", "reading", "better"),
    [
        ("no", "false", '"no"'),
        ("On", "true", '"On"'),
        ("y", "true", '"y"'),
        ("012", "the number 10", '"012"'),
        ("-007", "the number -7", '"-007"'),
        ("0b11", "the number 3", '"0b11"'),
        ("1_000", "the number 1000", '"1_000"'),
        ("08", "the number 8", '"08"'),
        ("0089.5", "the number 89.5", '"0089.5"'),
        ("01e2", "the number 100", '"01e2"'),
        ("0X1F", "the number 31", '"0X1F"'),
        ("-0o17", "the number -15", '"-0o17"'),
    ],
)
def test_difference_is_a_warning_with_a_fix(text, reading, better):
    [found] = yaml11_differences(parse(f"a: [{text}]", "f.yaml"))
    assert (found.code, found.severity, found.path) == ("yaml11-differs", "warning", "a.0")
    assert f"`{text}`" in found.message
    assert reading in found.message
    assert span(found.location) == (1, 5, 5 + len(text))
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == [better]
    assert better in found.help


@pytest.mark.parametrize("text", ["no", "012", "08", "1_000", "0b11"])
def test_fixed_text_means_the_same_here_and_no_longer_differs(text):
    before = parse(text, "f")
    [found] = yaml11_differences(before)
    assert found.fix is not None
    after = parse(found.fix.edits[0].text, "f")
    assert after.value == before.value  # type: ignore[union-attr]
    assert yaml11_differences(after) == []


@pytest.mark.parametrize(
    "text",
    [
        "true",
        "null",
        "~",
        "0",
        "12",
        "-5",
        "+1",
        "1.5",
        ".5",
        "1.",
        "1.0e-3",
        "0x1F",
        ".inf",
        "-.inf",
        ".nan",
        "nope",
        "1e-3",
        "1e5",
        "1.5e20",
        "0o17",
        "12:30:00",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        "08x",
        "_1",
        "._5",
        f"1_{'0' * 5000}",
        f"01_{'9' * 400}",
        "1.2.3",
        "v1",
        "a:b",
        "192.168.0.1",
        "'no'",
        "!!str",
    ],
)
def test_what_both_read_alike_is_silent(text):
    assert yaml11_differences(parse(f"a: {text}", "f")) == []


def test_keys_count_as_well():
    found = yaml11_differences(parse("y: 1\n'on': 2\nt: {no: no}\n", "f.yaml"))
    assert [(d.path, *span(d.location)) for d in found] == [("y", 1, 1, 2), ("t.no", 3, 5, 7), ("t.no", 3, 9, 11)]


def test_what_is_repeated_is_told_once(folder):
    folder("a: &a {x: no}\nb: [*a, *a]\nl: [{name: [p, q], on_call: off}]")
    assert len(yaml11_differences(load("main.yaml").root)) == 2


def test_text_that_no_such_reader_sees_is_silent(folder):
    folder("a: ${X}\nb: 1")
    assert yaml11_differences(load("main.yaml", sets=["b=no", "on=1"], env={"X": "no"}).root) == []


def test_items_are_named_in_paths():
    [found] = yaml11_differences(parse("l:\n- {name: x, v: no}", "f"))
    assert found.path == "l.x.v"
