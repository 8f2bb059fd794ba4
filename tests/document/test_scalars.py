import math

import pytest

from recplat.diagnostics import Problems
from recplat.document import Mapping, Scalar, parse, to_plain


def value_of(text: str) -> object:
    root = parse(f"key: {text}\n", "f.yaml")
    assert isinstance(root, Mapping)
    node = root.get("key")
    assert isinstance(node, Scalar)
    return node.value


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "on",
        "yes",
        "off",
        "y",
        "n",
        "Yes",
        "NO",
        "On",
        "012",
        "-007",
        "00",
        "00.5",
        "12:30:00",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        "1_000",
        "0b101",
        "0X1F",
        "0O17",
        "1e",
        "e5",
        ".e5",
        "1.2.3",
        "+-1",
        "--",
        "+",
        ".",
        "inf",
        "nan",
        ".Nan",
        ".infinity",
        "-.nan",
        "NUll",
        "tRUE",
        "~x",
        "1,000",
        "0x",
        "0o8",
        "1e5.5",
        "٣",
    ],
)
def test_stays_a_string(text):
    assert value_of(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("+1", 1),
        ("-17", -17),
        ("0x1F", 31),
        ("0o17", 15),
        ("0o0017", 15),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("1e-3", 0.001),
        ("5e-4", 0.0005),
        ("1e5", 100000.0),
        ("1E+5", 100000.0),
        (".5e-3", 0.0005),
        ("1.0e-3", 0.001),
        (".5", 0.5),
        ("0.5", 0.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("0e3", 0.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("+.Inf", math.inf),
        ("true", True),
        ("True", True),
        ("TRUE", True),
        ("false", False),
        ("False", False),
        ("FALSE", False),
        ("null", None),
        ("Null", None),
        ("NULL", None),
        ("~", None),
        ("", None),
    ],
)
def test_is_what_yaml_12_says(text, value):
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


@pytest.mark.parametrize("text", [".nan", ".NaN", ".NAN"])
def test_not_a_number(text):
    found = value_of(text)
    assert isinstance(found, float)
    assert math.isnan(found)


@pytest.mark.parametrize("text", ['"1"', "'true'", '"null"', "'1e-3'", '""', "!!str 5", "! '5'"])
def test_quotes_make_text(text):
    assert isinstance(value_of(text), str)


@pytest.mark.parametrize(
    ("text", "value"), [("!!int 5", 5), ("!!float 5", 5.0), ("!!null ~", None), ("!!bool true", True)]
)
def test_tags_of_the_core_schema_are_known(text, value):
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


@pytest.mark.parametrize("text", ["!!int x", "!!int true", "!!float yes", "!!bool no", "!!null x", "!!int 1.5"])
def test_value_that_is_not_of_its_tag_is_refused(text):
    with pytest.raises(Problems) as problems:
        value_of(text)
    assert problems.value.diagnostics[0].code == "yaml-tag"


def test_number_too_long_is_refused_instead_of_raising():
    with pytest.raises(Problems) as problems:
        value_of("9" * 5000)
    assert [d.code for d in problems.value.diagnostics] == ["yaml-number-too-long"]


def test_number_of_many_digits_is_exact():
    assert value_of("9" * 1000) == 10**1000 - 1


def test_scalar_knows_its_text_and_whether_it_was_quoted():
    root = parse("a: 0x1F\nb: '5'\nc: plain", "f.yaml")
    assert isinstance(root, Mapping)
    scalars = [entry.node for entry in root.entries.values()]
    assert [(s.text, s.plain) for s in scalars if isinstance(s, Scalar)] == [
        ("0x1F", True),
        ("5", False),
        ("plain", True),
    ]


def test_names_that_yaml_11_takes_for_booleans_are_keys():
    assert to_plain(parse("y: 1\non: 2\nno: 3\n2024-01-01: 4\n012: 5", "f")) == {
        "y": 1,
        "on": 2,
        "no": 3,
        "2024-01-01": 4,
        "012": 5,
    }
