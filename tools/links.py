"""Fails when a relative link in README.md, CHANGELOG.md or docs/ leads nowhere: to no file, or to no heading in it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.MULTILINE)


def main() -> int:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    broken = [problem for page in pages for problem in broken_links(page)]
    for problem in broken:
        print(problem, file=sys.stderr)
    return 1 if broken else 0


def broken_links(page: Path) -> Iterator[str]:
    """What is wrong, one line a link, as `page:line: …`."""
    text = page.read_text(encoding="utf-8")
    # Code is blanked, not cut, so that line numbers stay right.
    prose = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text)
    for match in _LINK.finditer(prose):
        link = match.group(1)
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name) if name else page
        line = prose.count("\n", 0, match.start()) + 1
        where = f"{page.relative_to(ROOT) if page.is_relative_to(ROOT) else page}:{line}"
        if not target.exists():
            yield f"{where}: `{link}` leads to no file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{where}: `{link}`: there is no such heading"


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get."""
    text = _CODE.sub(lambda code: code.group() if "\n" not in code.group() else "", page.read_text(encoding="utf-8"))
    titles = (re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in _HEADING.findall(text))
    return {re.sub(r"[\s]+", "-", title) for title in titles}


if __name__ == "__main__":
    sys.exit(main())
