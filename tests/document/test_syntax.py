"""What is said about common slips: the code, the place, and the words that help."""

import pytest

from recplat.document import parse, to_plain
from tests.document.document_builder import faults, span

SLIPS = [
    # text, code, (line, column, end column), words in message or help
    ("a:\n\tb: 1\n", "yaml-tab", (2, 1, 2), "spaces"),
    ("a: 1\n \tb: 2\n", "yaml-tab", (2, 2, 3), "spaces"),
    ("a: |\n\tx\n", "yaml-tab", (2, 1, 2), "spaces"),
    ("lr:0.1\nseed: 1\n", "yaml-missing-space", (1, 3, 5), "`key: value`"),
    ("a: 1\nlr:0.1\nseed: 1\n", "yaml-missing-space", (2, 3, 5), "`key: value`"),
    ("x:\n- a\n-b\n", "yaml-missing-space", (3, 1, 3), "`- item`"),
    ("a: 'abc\nb: 1\n", "yaml-not-closed", (1, 4, 8), "write '"),
    ('a: "abc\nb: 1\n', "yaml-not-closed", (1, 4, 8), 'write "'),
    ("a: 'b\n---\nc'\n", "yaml-not-closed", (1, 4, 6), "never closed"),
    ("a: [1, 2\n", "yaml-not-closed", (1, 4, 5), "`]`"),
    ("a: [\n", "yaml-not-closed", (1, 4, 5), "`]`"),
    ("a: {b: 1\n", "yaml-not-closed", (1, 4, 5), "`}`"),
    ("a: [1, 2\nb: 1\n", "yaml-not-closed", (2, 2, 3), "`]`"),
    ("a: {b: [1, 2}\n", "yaml-not-closed", (1, 13, 14), "`]`"),
    ("a:\n    b: 1\n  c: 2\n", "yaml-indentation", (3, 3, 7), "0 or 4 spaces"),
    ("a: 1\n b: 2\n", "yaml-indentation", (2, 2, 6), "deeper"),
    ("  a: 1\nb: 2\n", "yaml-indentation", (2, 1, 5), "column"),
    ("a: b\n- c\n", "yaml-indentation", (2, 1, 4), "a key is expected"),
    ("- a\nb: 1\n", "yaml-indentation", (2, 1, 5), "a list item is expected"),
    ("a: @x\n", "yaml-needs-quotes", (1, 4, 6), '"@x"'),
    ("a: `x`\n", "yaml-needs-quotes", (1, 4, 7), '"`x`"'),
    ("a: %x # note\n", "yaml-needs-quotes", (1, 4, 6), '"%x"'),
    ("a: >= 4\n", "yaml-needs-quotes", (1, 4, 8), '">= 4"'),
    ("a: *.csv\n", "yaml-needs-quotes", (1, 4, 9), '"*.csv"'),
    ("a: b: c\n", "yaml-needs-quotes", (1, 4, 8), '"b: c"'),
    ("a: }\n", "yaml-needs-quotes", (1, 4, 5), '"}"'),
    ("a: ? b\n", "yaml-needs-quotes", (1, 4, 7), '"? b"'),
    ("a: {b: ${N}, c: 1}\n", "yaml-needs-quotes", (1, 8, 12), "quotes around it"),
    ("a: [${N}]\n", "yaml-needs-quotes", (1, 5, 9), "quotes around it"),
    ("a: 'it's'\n", "yaml-text-after-value", (1, 8, 10), "''"),
    ('a: "x" y\n', "yaml-text-after-value", (1, 8, 9), '\\"'),
    ("a: [b]]\n", "yaml-text-after-value", (1, 7, 8), "delete"),
    ('a: "C:\\data"\n', "yaml-escape", (1, 7, 9), "single quotes"),
    ("a: - b\n", "yaml-list-beside-key", (1, 4, 5), "next line"),
    ("a: 1\nb\nc: 2\n", "yaml-missing-colon", (2, 1, 2), "`key: value`"),
    ("a\nb: 1\n", "yaml-missing-colon", (1, 1, 2), "`key: value`"),
    ("k" * 1100 + ": 1\n", "yaml-missing-colon", (1, 1, 1103), "1024"),
    ("a: [1,, 2]\n", "yaml-syntax", (1, 7, 8), "comma"),
    ("a: [\n- b\n]\n", "yaml-syntax", (2, 1, 2), "commas"),
    ("%FOO\n---\na: 1\n", "yaml-syntax", (1, 1, 5), "delete"),
]


@pytest.mark.parametrize(("text", "code", "where", "words"), SLIPS, ids=[repr(slip[0][:20]) for slip in SLIPS])
def test_slip_is_recognised(text, code, where, words):
    [fault] = faults(lambda: parse(text, "f.yaml"))
    assert fault.code == code
    assert words in fault.message + fault.help
    assert fault.location is not None
    line, column, end_column = span(fault.location)
    assert (line, column) == where[:2]
    assert fault.code == "yaml-missing-colon" or end_column == where[2]


@pytest.mark.parametrize("text", ["a: @x\nb: 1", "p: >= 4", "g: *.csv # note", "t: one: two", "- a: b: c", "a: %x y"])
def test_fix_makes_the_text_readable(text):
    [fault] = faults(lambda: parse(text, "f.yaml"))
    assert fault.fix is not None
    [edit] = fault.fix.edits
    lines = text.split("\n")
    line = lines[edit.line - 1]
    lines[edit.line - 1] = line[: edit.column - 1] + edit.text + line[edit.end_column - 1 :]
    parse("\n".join(lines), "f.yaml")


def test_related_place_shows_where_the_bracket_was_opened():
    [fault] = faults(lambda: parse("a: [1,\n  2\nb: 1\n", "f.yaml"))
    assert [span(related.location) for related in fault.related] == [(1, 4, 5)]


@pytest.mark.parametrize(
    "text", ["a: x{y}", "a: b]", "a: -b", "a: a:b", "a: x@y", "a: 'x: y'", "a: $${X}", "a: ${X:-1}"]
)
def test_what_is_no_slip_is_read(text):
    assert to_plain(parse(text, "f"))


def test_the_parsers_own_words_come_through_when_the_cause_is_unknown():
    [fault] = faults(lambda: parse("a: &\n", "f.yaml"))
    assert fault.help
