"""What recplat tells a person about a mistake: a code, a sentence, a place and a remedy.

Read `types.py` first, then `text.py`.
"""

from recplat.diagnostics.as_json import render_json
from recplat.diagnostics.explanations import explain, known_codes
from recplat.diagnostics.spelling import nearest
from recplat.diagnostics.text import render_text
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
    "render_json",
    "render_text",
]
