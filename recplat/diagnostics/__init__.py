"""What recplat tells a person about a mistake: a code, a sentence, a place and a remedy.

Read `types.py` first, then `text.py`.
"""

from typing import TYPE_CHECKING, Any

from recplat.diagnostics.spelling import nearest
from recplat.diagnostics.types import (
    Diagnostic,
    Edit,
    Fix,
    Location,
    Problems,
    Related,
    Severity,
    in_file_order,
)

if TYPE_CHECKING:
    from recplat.diagnostics.as_json import render_json
    from recplat.diagnostics.explanations import explain, known_codes
    from recplat.diagnostics.refusals import refusal
    from recplat.diagnostics.text import render_text

__all__ = [
    "Diagnostic",
    "Edit",
    "Fix",
    "Location",
    "Problems",
    "Related",
    "Severity",
    "explain",
    "in_file_order",
    "known_codes",
    "nearest",
    "refusal",
    "render_json",
    "render_text",
]

# What is shown only where something is wrong, or asked for: a right spec does not wait for it.
_LATE = {
    "explain": "explanations",
    "known_codes": "explanations",
    "refusal": "refusals",
    "render_json": "as_json",
    "render_text": "text",
}


def __getattr__(name: str) -> Any:
    if name in _LATE:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
