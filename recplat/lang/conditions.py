"""Conditions on a label, as people write them: `>= 4`, `== click`, `in [click, buy]`.

Parsed, never evaluated as code.
"""

import re
from typing import Literal, get_args

from msgspec import Struct

Operator = Literal["<", "<=", ">", ">=", "==", "!=", "in"]

_ORDER = ("<", "<=", ">", ">=")
_SYMBOL = re.compile(r"(<=|>=|==|!=|<(?!=)|>(?!=))\s*(.*)", re.DOTALL)
_LIST = re.compile(r"in\s*\[(.*)\]", re.DOTALL)
# A leading zero makes a text, as everywhere in the language: `01` is not 1.
_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_VALUE = re.compile(r"""\s*("[^"]*"|'[^']*'|[^\s,"'\[\]]+)\s*""")


class Condition(Struct, frozen=True):
    """`operator` and what stands right of it: one value, or those of the list. All are numbers or all are texts."""

    operator: Operator
    values: tuple[float, ...] | tuple[str, ...]

    @property
    def is_numeric(self) -> bool:
        """Whether the column is compared as numbers."""
        return isinstance(self.values[0], float)


def parse_condition(text: str) -> Condition:
    """The condition that a text says.

    Values without quotes that look like numbers are numbers; one text among them makes all of them texts.

    Raises:
        ValueError: what is wrong with it, in a sentence.
    """
    text = text.strip()
    if listed := _LIST.fullmatch(text):
        return Condition("in", _values(listed[1], text))
    found = _SYMBOL.fullmatch(text)
    if found is None:
        forms = ", ".join(f"`{operator}`" for operator in get_args(Operator))
        raise ValueError(f"`{text}` is not a condition: it starts with none of {forms}")
    values = _values(found[2], text)
    operator: Operator = found[1]  # type: ignore[assignment]
    if len(values) > 1:
        raise ValueError(f"`{text}` compares with {len(values)} values: a list needs `in [...]`")
    if operator in _ORDER and not isinstance(values[0], float):
        raise ValueError(f"`{text}` orders by a text: `{operator}` needs a number")
    return Condition(operator, values)


def write_condition(condition: Condition) -> str:
    """The text of a condition; `parse_condition` reads it back."""
    words = [_word(value) for value in condition.values]
    return f"in [{', '.join(words)}]" if condition.operator == "in" else f"{condition.operator} {words[0]}"


def _word(value: float | str) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if _VALUE.fullmatch(value) and value[0] not in "\"'" and not _NUMBER.fullmatch(value) and value == value.strip():
        return value
    return f"'{value}'" if '"' in value else f'"{value}"'


def _values(text: str, whole: str) -> tuple[float, ...] | tuple[str, ...]:
    words: list[str] = []
    position = 0
    while True:
        found = _VALUE.match(text, position)
        if found is None:
            raise ValueError(f"`{whole}` lacks a value, or has a value with spaces that needs quotes")
        words.append(found[1])
        position = found.end()
        if position == len(text):
            break
        if text[position] != ",":
            raise ValueError(f"`{whole}` has a `{text[position]}` where a comma is expected")
        position += 1
    if all(_NUMBER.fullmatch(word) for word in words):
        return tuple(float(word) for word in words)
    return tuple(word[1:-1] if word[0] in "\"'" else word for word in words)
