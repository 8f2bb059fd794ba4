import pytest

from recplat.document import Mapping, Scalar, load, to_plain
from tests.document.document_builder import codes, faults, span

ENV = {"N": "5", "NAME": "feed", "EMPTY": "", "DEEP": "${N}", "YES": "true", "OCT": "012", "LONG": "9" * 2000}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${N}", 5),
        ('"${N}"', "5"),
        ("'${N}'", "5"),
        ("${YES}", True),
        ("${OCT}", "012"),
        ("${LONG}", "9" * 2000),
        ("x${N}", "x5"),
        ("${N}${N}", "55"),
        ("${NAME}/${N}.csv", "feed/5.csv"),
        ("${OTHER:-7}", 7),
        ("${OTHER:-}", None),
        ('"${OTHER:-}"', ""),
        ("${EMPTY}", None),
        ("${EMPTY:-x}", "x"),
        ("${NAME:-x}", "feed"),
        ("${OTHER:-a:-b}", "a:-b"),
        ("${OTHER:-/data/x y}", "/data/x y"),
        ("${DEEP}", "${N}"),
        ("$${N}", "${N}"),
        ("a $${N} ${N}", "a ${N} 5"),
        ("$$${N}", "$${N}"),
        ("$N", "$N"),
        ("cost $5", "cost $5"),
        ("a$", "a$"),
        ("[a, '${N}']", ["a", "5"]),
    ],
)
def test_variable_is_replaced(folder, text, value):
    folder(f"key: {text}")
    found = to_plain(load("main.yaml", env=ENV).root)
    assert found == {"key": value}
    assert type(found["key"]) is type(value)  # type: ignore[index, call-overload]


def test_keys_are_left_alone(folder):
    folder("${N}: 1")
    assert to_plain(load("main.yaml", env=ENV).root) == {"${N}": 1}


def test_unset_variable_is_named_with_the_nearest_that_is_set(folder):
    folder("a:\n  path: /x/${NAMES}/y")
    [fault] = faults(lambda: load("main.yaml", env=ENV))
    assert (fault.code, fault.path) == ("variable-unset", "a.path")
    assert "`NAMES`" in fault.message
    assert "`NAME`" in fault.help
    assert span(fault.location) == (2, 12, 20)


def test_place_within_quotes(folder):
    folder('a: "é ${X}"\nb: "\\t${X}"')
    places = [span(fault.location) for fault in faults(lambda: load("main.yaml", env={}))]
    assert places == [(1, 7, 11), (2, 4, 12)]  # behind an escape only the whole is certain


@pytest.mark.parametrize(
    "text", ["${", "${}", "${N", "${1}", "${a-b}", "${N-x}", "${N:x}", "${N:-${N}}", "${ N }", "${é}"]
)
def test_malformed_variable(folder, text):
    folder(f"a: x{text}")
    [fault] = faults(lambda: load("main.yaml", env=ENV))
    assert fault.code == "variable-syntax"


def test_all_faults_are_told(folder):
    folder("a: ${X} ${Y}\nb: [ok, '${Z}']\nc: ${")
    assert codes(lambda: load("main.yaml", env={})) == ["variable-unset"] * 3 + ["variable-syntax"]


def test_overridden_variable_need_not_be_set(folder):
    folder("extends: base.yaml\na: 1", base="a: ${X}\nb: 2")
    assert to_plain(load("main.yaml", env={}).root) == {"a": 1, "b": 2}


def test_value_keeps_the_place_of_the_variable(folder):
    folder("a: ${N}")
    root = load("main.yaml", env=ENV).root
    assert isinstance(root, Mapping)
    node = root.get("a")
    assert isinstance(node, Scalar)
    assert span(node.location) == (1, 4, 8)
    assert (node.text, node.plain) == ("5", False)


def test_aliased_text_is_replaced_everywhere(folder):
    folder("a: &a {x: '${NAME}'}\nb: [*a, *a]")
    assert to_plain(load("main.yaml", env=ENV).root) == {"a": {"x": "feed"}, "b": [{"x": "feed"}, {"x": "feed"}]}
