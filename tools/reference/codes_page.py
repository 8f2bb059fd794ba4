"""`docs/reference/diagnostics.md`: the long text behind every code."""

import re

from recplat.diagnostics import explain, known_codes

_HEADING = re.compile(r"\A# (.*)\n")


def codes_page() -> str:
    lines = [
        "# Diagnostics",
        "",
        "The text that `recplat explain CODE` prints. Codes are public: they keep their meaning.",
        "",
    ]
    for code in known_codes():
        text = explain(code) or ""
        title = _HEADING.match(text)
        assert title, f"the first line of {code}.md is no heading"
        lines += [f"## {code}", "", f"**{title.group(1)}.**", text[title.end() :].rstrip(), ""]
    return "\n".join(lines)
