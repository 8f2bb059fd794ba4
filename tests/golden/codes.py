"""The codes of diagnostics as the source writes them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent.parent / "recplat"
_CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
#: Functions and classes whose first argument, or `code=`, is a code.
_MAKERS = {"Diagnostic", "problem", "fault", "Fault"}


def codes_in(*folders: str) -> dict[str, str]:
    """Every code that a file below these folders of recplat reports, and one such file."""
    files = [file for folder in folders for file in sorted((PACKAGE / folder).rglob("*.py"))]
    return {code: str(file.relative_to(PACKAGE)) for file in files for code in _codes(ast.parse(file.read_text()))}


def _codes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name.lstrip("_") not in _MAKERS:
            continue
        candidates = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "code")]
        for candidate in candidates:
            if isinstance(candidate, ast.Constant) and _CODE.fullmatch(str(candidate.value)):
                yield str(candidate.value)
