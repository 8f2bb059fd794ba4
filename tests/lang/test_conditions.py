import re

import pytest

from recplat.lang.conditions import Condition, parse_condition


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">= 4", Condition(">=", (4.0,))),
        (" <0.5 ", Condition("<", (0.5,))),
        ("== 1", Condition("==", (1.0,))),
        ("!= -1e3", Condition("!=", (-1000.0,))),
        ("== click", Condition("==", ("click",))),
        ('== "1"', Condition("==", ("1",))),
        ("== 01", Condition("==", ("01",))),
        ("in [a, 'b c', d]", Condition("in", ("a", "b c", "d"))),
        ("in [1, 2]", Condition("in", (1.0, 2.0))),
        ("in [1, x]", Condition("in", ("1", "x"))),
    ],
)
def test_a_condition_is_read(text, expected):
    assert parse_condition(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4", "starts with none of"),
        ("=> 4", "starts with none of"),
        (">=", "lacks a value"),
        ("in []", "lacks a value"),
        ("in [a,]", "lacks a value"),
        ("> high", "needs a number"),
        ("== 1, 2", "needs `in"),
        ("== a b", "where a comma is expected"),
        ("", "starts with none of"),
        ("__import__('os')", "starts with none of"),
    ],
)
def test_what_is_no_condition_says_why(text, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        parse_condition(text)
