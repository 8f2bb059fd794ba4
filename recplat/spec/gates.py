"""Gates: conditions such as `auc >= 0.78` that a run must meet."""

import operator
import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_GATE = re.compile(r"^\s*([A-Za-z_][A-Za-z0-9_]*)\s*(>=|<=|>|<)\s*(\S+)\s*$")


class GateError(ValueError):
    """A text that is no gate; the message says what is wrong with it."""


class Gate(Struct, frozen=True):
    metric: str
    comparison: Literal[">=", "<=", ">", "<"]
    bound: float

    def is_met(self, value: float | None) -> bool:
        """An undefined metric meets no gate."""
        return value is not None and _OPERATORS[self.comparison](value, self.bound)


def parse_gate(text: str) -> Gate:
    """
    Raises:
        GateError: not a metric, a comparison and a number.
    """
    found = _GATE.match(text)
    if found is None:
        raise GateError("a gate is one metric, one comparison and one number")
    metric, comparison, number = found.groups()
    try:
        bound = float(number)
    except ValueError:
        raise GateError(f"`{number}` is not a number") from None
    if bound != bound or abs(bound) == float("inf"):
        raise GateError(f"`{number}` is not a finite number")
    return Gate(metric, comparison, bound)  # type: ignore[arg-type]
