"""Without PyYAML's C part the slower parser takes over, and says the same."""

import pytest
import yaml

from recplat.document import Scalar, parse, to_plain
from tests.document.document_builder import codes, faults, span
from tests.document.test_any_input import SPEC
from tests.document.test_syntax import SLIPS

# The parsers notice these in different places; the pure one overlooks directives that it doesn't know.
_OVERLOOKED = "%FOO"
_ELSEWHERE = {"a: |\n\tx\n", 'a: "C:\\data"\n'}


@pytest.fixture(autouse=True)
def pure(monkeypatch):
    monkeypatch.setattr("recplat.document.reader._PARSER", yaml.SafeLoader)


def test_spec_reads_the_same(monkeypatch):
    pure = to_plain(parse(SPEC, "f"))
    monkeypatch.setattr("recplat.document.reader._PARSER", yaml.CSafeLoader)
    assert to_plain(parse(SPEC, "f")) == pure


@pytest.mark.parametrize("slip", [s for s in SLIPS if not s[0].startswith(_OVERLOOKED)], ids=lambda s: repr(s[0][:20]))
def test_slip_is_recognised(slip):
    text, code, where, _ = slip
    [fault] = faults(lambda: parse(text, "f.yaml"))
    assert fault.code == code
    if text not in _ELSEWHERE:
        assert span(fault.location)[:2] == where[:2]


@pytest.mark.parametrize("opening", ["[", "{", "{a: ", "- ", "? "])
def test_hostile_depth_is_a_diagnostic(opening):
    assert codes(lambda: parse(opening * 100_000, "f")) == ["yaml-too-deep"]


def test_plain_and_quoted_are_told_apart():
    texts = {text: parse(text, "f") for text in ("5", "'5'", "!!str 5")}
    assert [(t, n.value) for t, n in texts.items() if isinstance(n, Scalar) and n.plain] == [("5", 5)]
