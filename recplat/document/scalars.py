"""What a plain scalar means: YAML 1.2's core schema, except that a number with leading zeros stays a string."""

from __future__ import annotations

import re

from recplat.document.nodes import Value

MAX_NUMBER_CHARACTERS = 1000  # Python refuses to convert integers of more than 4300 digits

_NUMBER_START = frozenset("0123456789+-.")
_WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")


def resolve(text: str) -> Value:
    """The value of `text` written without quotes.

    Raises:
        OverflowError: a number of more than `MAX_NUMBER_CHARACTERS`.
    """
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _NUMBER_START else text


def _number(text: str) -> str | int | float:
    if len(text) > MAX_NUMBER_CHARACTERS:
        if any(kind.fullmatch(text) for kind in (_INTEGER, _FLOAT, _OCTAL, _HEXADECIMAL)):
            raise OverflowError(f"a number of {len(text)} characters")
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if _INFINITY.fullmatch(text):
        return float(text.replace(".", ""))
    return float("nan") if _NAN.fullmatch(text) else text
