"""Causes of syntax errors that lie in how lines stand to each other: colons, dashes, indentation."""

from __future__ import annotations

import re

from recplat.diagnostics import Diagnostic, Related
from recplat.document import structure_faults
from recplat.document.syntax_site import Site, fault, needs_quotes

_KEY_AND_VALUE = re.compile(r"\s*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s'\"\[{#][^#]*?):\s+(?=\S)")
_KEY_WITHOUT_SPACE = re.compile(r"\s*(?:- +)*[\w.-]+(:)(?=[^\s:/])")
_DASH_WITHOUT_SPACE = re.compile(r"\s*(-)(?=[^\s-])")
_SPACED = {":": "write `key: value`", "-": "write `- item`"}


def colon_in_value(site: Site) -> Diagnostic | None:
    """`title: a: b`"""
    if "mapping values" not in site.problem:
        return None
    key = _KEY_AND_VALUE.match(site.text)
    if key is None or key.end() >= site.column:
        return None
    return needs_quotes(site, site.line, key.end(), "a value that holds a colon and a space must be in quotes")


def missing_key(site: Site) -> Diagnostic | None:
    """`: value`"""
    if not re.match(r"\s*:(\s|$)", site.text) or "flow" in site.context:
        return None
    start = site.text.index(":")
    return structure_faults.key_not_string("", None, site.location(site.line, start, start + 1), "")


def missing_space(site: Site) -> Diagnostic | None:
    """`key:value` or `-item`, which YAML takes for one word; noticed on the line itself or the next."""
    for line in _suspects(site):
        text = site.line_text(line)
        if _KEY_AND_VALUE.match(text):
            continue
        for found in (_KEY_WITHOUT_SPACE.match(text), _DASH_WITHOUT_SPACE.match(text)):
            if found is not None:
                where = site.location(line, found.start(1), found.end(1) + 1)
                return fault("yaml-missing-space", f"a space is missing after `{found[1]}`", where, _SPACED[found[1]])
    return None


def missing_colon(site: Site) -> Diagnostic | None:
    """A line that is neither a key nor a value."""
    line: int | None = None
    if "expected ':'" in site.problem:
        line = site.opened_line
    elif "mapping values" in site.problem:
        line = site.previous()
        if line is not None and ":" in site.line_text(line):
            line = None
    if "mapping values" in site.problem and site.column > 1024:
        line = site.line
    if line is None:
        return None
    text = site.line_text(line)
    if len(text) > 1024:
        help = "a key, and a `[ ]` or `{ }` before a colon, must fit on one line of 1024 characters"
    else:
        help = "write `key: value`; if the line goes on with the text above, indent it deeper or put the text in quotes"
    start = len(text) - len(text.lstrip())
    message = "this line has no `: `, so it is neither a key nor a value"
    return fault("yaml-missing-colon", message, site.location(line, start), help)


def list_beside_key(site: Site) -> Diagnostic | None:
    """`key: - item` and `key: ? x`"""
    if "sequence entries are not allowed" in site.problem:
        help = "begin the list on the next line, or write `[a, b]`; a value that is only a dash needs quotes"
        return fault("yaml-list-beside-key", "a list can't begin on the line of its key", site.here(), help)
    if "mapping keys are not allowed" in site.problem:
        return needs_quotes(site, site.line, site.column, "a value that begins with `? ` must be in quotes")
    return None


def text_after_value(site: Site) -> Diagnostic | None:
    """`'it's'`, `"a" b`, `[a]]`: the value has ended, the line goes on."""
    if site.begins_line or not re.search("block (mapping|collection)", site.context):
        return None
    where = site.location(site.line, site.column)
    last = site.before.rstrip()[-1]
    if last == "'":
        help = "a ' inside of single quotes is written '', or put double quotes around the whole value"
    elif last == '"':
        help = r'a " inside of double quotes is written \", or put single quotes around the whole value'
    else:
        help = "delete what follows, or put the whole value in quotes"
    return fault("yaml-text-after-value", "the value has ended before this", where, help)


def document_goes_on(site: Site) -> Diagnostic | None:
    """Text that follows once the outermost map or list has ended."""
    if "document start" not in site.problem:
        return None
    where = site.location(site.line, site.column)
    content = (line for line in site.lines[:1000] if line.strip() and not line.lstrip().startswith(("#", "---")))
    first = next(content, "")
    if _indent(first) > _indent(site.text):
        return fault(
            "yaml-indentation",
            "this line stands further left than the first one",
            where,
            "begin all keys of the outermost map in the same column, best the first",
        )
    help = "a file holds one map; delete the `...` or the brackets around the first part, or make two files"
    return fault("yaml-many-documents", "the document has ended before this", where, help)


def indentation(site: Site) -> Diagnostic | None:
    """A line that fits no line above it."""
    previous = site.previous()
    if previous is None or not re.search("mapping values|expected (key|'-')|<block end>", site.problem):
        return None
    indent = _indent(site.text)
    where = site.location(site.line, indent)
    if indent > _indent(site.line_text(previous)):
        return fault(
            "yaml-indentation",
            "this line is indented deeper than the one above, which has its value already",
            where,
            "indent both alike, or delete the value above if this belongs below it",
            Related("the line above", site.location(previous, _indent(site.line_text(previous)))),
        )
    open_indents = sorted({0, *_open_indents(site, indent)})
    if indent in open_indents:
        wanted = "a list item" if "expected '-'" in site.problem or "block collection" in site.context else "a key"
        help = "write `- item` in lists and `key: value` in maps; what belongs to the line above goes deeper than it"
        return fault("yaml-indentation", f"{wanted} is expected here, like the lines in this column", where, help)
    spaces = " or ".join(str(depth) for depth in open_indents)
    help = f"indent it by {spaces} spaces, like the lines that it belongs to"
    return fault("yaml-indentation", f"a line indented by {indent} doesn't fit the lines above", where, help)


def _suspects(site: Site) -> list[int]:
    if "expected ':'" in site.problem:
        return [site.opened_line]
    if "mapping values" in site.problem:
        return [line for line in [site.previous()] if line is not None]
    return [site.line] if "expected '-'" in site.problem or "expected key" in site.problem else []


def _open_indents(site: Site, indent: int) -> list[int]:
    """The indentations of the lines above that are still open where a line of `indent` stands."""
    found: list[int] = []
    limit = 1 << 30
    for line in site.above():
        if _indent(site.line_text(line)) < limit:
            limit = _indent(site.line_text(line))
            found.append(limit)
        if limit <= indent:
            break
    return found


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
