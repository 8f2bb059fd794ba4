"""Ordinary values come through as PyYAML writes them; whatever else is given, the answer is nodes or diagnostics."""

import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from recplat.diagnostics import Problems, render_json, render_text
from recplat.document import Node, Plain, Scalar, Sequence, load, parse, to_plain, yaml11_differences

LINE_SEPARATORS = "\x85\u2028\u2029"
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=LINE_SEPARATORS), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))

SPEC = """\
apiVersion: recplat.io/v1alpha1  # a note
kind: TrainingJob
defaults: &defaults {dim: 16, pooling: "mean"}
spec:
  features:
    - {<<: *defaults, name: [user_id, item_id], type: categorical}
    - name: age
      transform: 'z"score'
  train:
    lr: 1e-3
    epochs: ${EPOCHS:-3}
    layers: [64, "32", {x: ~}]
    note: >-
      folded
      text
"""


class QuotingDumper(yaml.SafeDumper):
    """Writes every string in quotes, as whoever writes for YAML 1.1 and 1.2 must."""

    def ignore_aliases(self, data: object) -> bool:
        return True


QuotingDumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


@given(VALUES, st.booleans())
def test_what_pyyaml_writes_is_read_back(value, flow):
    text = yaml.dump({"key": value}, Dumper=QuotingDumper, default_flow_style=flow, allow_unicode=True)
    assert to_plain(parse(text, "f")) == {"key": value}


@given(VALUES)
def test_places_lie_within_the_text(value):
    text = yaml.dump({"key": value}, Dumper=QuotingDumper, allow_unicode=True)
    lines = text.split("\n")

    def check(node: Node) -> None:
        where = node.location
        assert (1, 1) <= (where.line, where.column) <= (where.end_line, where.end_column)
        assert where.end_line <= len(lines)
        assert where.column <= len(lines[where.line - 1]) + 1
        if isinstance(node, Sequence):
            for item in node.items:
                check(item)
        elif not isinstance(node, Scalar):
            for entry in node.entries.values():
                check(entry.node)

    check(parse(text, "f"))


def survives(content: str | bytes) -> Plain:
    try:
        root = parse(content, "f.yaml")
    except Problems as problems:
        render_text(problems.diagnostics, color=True, read_source=problems.sources.get).encode()
        render_json(problems.diagnostics)
        return None
    yaml11_differences(root)
    return to_plain(root)


def test_spec_is_read():
    assert survives(SPEC)


@given(st.binary(max_size=200))
def test_any_bytes(content):
    survives(content)


@given(st.text(st.sampled_from(" \t\n\r-?:,[]{}#&*!|>'\"%@`a0.$~<=é\\"), max_size=60))
@settings(max_examples=400)
def test_any_yaml_like_text(text):
    survives(text)


@given(st.data())
@settings(max_examples=400)
def test_any_mutation_of_a_spec(data):
    text = SPEC
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        text = text[:start] + data.draw(st.text(max_size=3)) + text[start + length :]
    survives(text)


@given(st.text(max_size=30))
def test_any_setting_and_any_variable(tmp_path_factory, text):
    folder = tmp_path_factory.getbasetemp()
    (folder / "spec.yaml").write_text("a: {b: [1, {name: x}]}\nv: ${V}x")
    for sets in ([text], [f"a.b={text}"], [f"{text}=1"]):
        try:
            load(folder / "spec.yaml", sets=sets, env={"V": text})
        except Problems as problems:
            render_text(problems.diagnostics, color=False, read_source=problems.sources.get)


@pytest.mark.parametrize("scalar", ["1e-3", "1e5", "1.0e-3", ".5e-3", "5e-4"])
def test_every_way_to_write_a_float_is_a_float(scalar):
    value = to_plain(parse(scalar, "f"))
    assert isinstance(value, float)
    assert math.isclose(value, float(scalar))
