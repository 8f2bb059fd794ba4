"""The normal form as YAML that every reader understands alike, YAML 1.1 and 1.2."""

import re
from typing import Any

import yaml

from recplat.document.yaml11 import yaml11_reading
from recplat.spec.build import to_plain
from recplat.spec.types import TrainingJob


class _Dumper(yaml.SafeDumper):
    """PyYAML quotes what YAML 1.1 would read as something else; what YAML 1.2 alone would is added here."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)  # items of a list stand further in than its key


# Texts that recplat reads as numbers and YAML 1.1 does not.
_NUMBER_IN_1_2 = re.compile(r"^[-+]?(0o[0-7]+|(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)$")


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    quoted = _NUMBER_IN_1_2.match(text) or yaml11_reading(text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if quoted else None)


def _represent_float(dumper: yaml.SafeDumper, number: float) -> yaml.Node:
    text = repr(number)
    if "e" in text:
        # `1e-05` is a text in YAML 1.1: a number needs its point there.
        mantissa, exponent = text.split("e")
        text = f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"
    return dumper.represent_scalar("tag:yaml.org,2002:float", text)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(float, _represent_float)


def render_yaml(job: TrainingJob) -> str:
    """The normal form, fields in the order of the types; the same job gives the same text."""
    return yaml.dump(to_plain(job), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
