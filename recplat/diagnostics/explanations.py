"""The long text behind each code: one Markdown file a code, in `codes/`."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "codes"


def known_codes() -> tuple[str, ...]:
    """Every code that has a text, sorted."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.md")))


def explain(code: str) -> str | None:
    """The Markdown text of one code; its first line is `# <title>`. None for a code that isn't known."""
    if code not in known_codes():  # also keeps `../..` out of the path below
        return None
    return (_FOLDER / f"{code}.md").read_text(encoding="utf-8")
