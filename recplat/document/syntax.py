"""A YAML syntax error in plain words: what was probably meant, and what to write instead.

The parser says only where it lost the thread. Each function below knows one usual cause and declines the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import yaml

from recplat.diagnostics import Diagnostic, Related
from recplat.document import structure_faults
from recplat.document.syntax_layout import (
    colon_in_value,
    document_goes_on,
    indentation,
    list_beside_key,
    missing_colon,
    missing_key,
    missing_space,
    text_after_value,
)
from recplat.document.syntax_site import Site, fault, needs_quotes, site_of

_ESCAPE_HELP = r"in double quotes a backslash begins an escape: write `\\` for a backslash, or use single quotes"


def syntax_fault(error: yaml.MarkedYAMLError, text: str, file: str) -> Diagnostic:
    """The diagnostic for what the parser raised."""
    site = site_of(error, text, file)
    for cause in _CAUSES:
        found = cause(site)
        if found is not None:
            return found
    return fault(
        "yaml-syntax",
        f"this can't be read as YAML: {' '.join(filter(None, (site.context, site.problem)))}",
        site.here(),
        "check quotes, brackets, colons and indentation on this line and the one before",
    )


def _too_deep(site: Site) -> Diagnostic | None:
    return structure_faults.too_deep(site.here()) if "nesting depth" in site.problem else None


def _directive(site: Site) -> Diagnostic | None:
    if not site.text.startswith("%"):
        return None
    return fault(
        "yaml-syntax",
        "a line that begins with `%` is an instruction to the YAML reader, and this one isn't known",
        site.location(site.line, 0),
        "delete the line; files are read as YAML 1.2 without it",
    )


def _tab(site: Site) -> Diagnostic | None:
    margin = site.text[: len(site.text) - len(site.text.lstrip())]
    tab = margin.find("\t")
    if tab < 0 or "flow" in site.context:
        return None
    return fault(
        "yaml-tab",
        "a tab stands in the indentation",
        site.location(site.line, tab, len(margin)),
        "indent with spaces (two a level); most editors can convert tabs to spaces",
    )


def _quote_not_closed(site: Site) -> Diagnostic | None:
    ended_early = re.search("end of stream|document (indicator|separator)", site.problem)
    if ended_early is None or not re.search("quoted scalar", site.context):
        return None
    quote = site.line_text(site.opened_line)[site.opened_column : site.opened_column + 1]
    inner = "''" if quote == "'" else '\\"'
    return fault(
        "yaml-not-closed",
        f"this {quote} is never closed",
        site.location(site.opened_line, site.opened_column),
        f"write {quote} where the text ends; a {quote} inside of the text is written {inner}",
    )


def _escape(site: Site) -> Diagnostic | None:
    if "quoted scalar" not in site.context and "double-quoted" not in site.context:
        return None
    where = site.location(site.line, site.column, site.column + 2)
    return fault("yaml-escape", "this backslash begins no known escape", where, _ESCAPE_HELP)


def _variable_in_brackets(site: Site) -> Diagnostic | None:
    if "flow" not in site.context or site.text[site.column - 1 : site.column + 1] != "${" or site.column == 0:
        return None
    found = re.compile(r"\$\{[^{}]*\}?").match(site.text, site.column - 1)
    end = found.end() if found else site.column + 1
    return fault(
        "yaml-needs-quotes",
        "inside `[ ]` and `{ }` a variable must stand in quotes",
        site.location(site.line, site.column - 1, end),
        "put quotes around it, or write the value on a line of its own, where `${N}` without quotes can be a number",
    )


def _bracket_not_closed(site: Site) -> Diagnostic | None:
    kind = re.search(r"flow (sequence|mapping)", site.context)
    if kind is None:
        return None
    opening, closing, thing = ("[", "]", "list") if kind[1] == "sequence" else ("{", "}", "map")
    if site.at_end:
        help = f"write `{closing}` where the {thing} ends"
        return fault("yaml-not-closed", f"this `{opening}` is never closed", site.opened(), help)
    return fault(
        "yaml-not-closed",
        f"`,` or `{closing}` is missing before this",
        site.here(),
        f"write `{closing}` where the {thing} ends, `,` between its parts, and quotes around text with brackets in it",
        Related(f"the {thing} begins here", site.opened()),
    )


def _first_character(site: Site) -> Diagnostic | None:
    """Text that YAML takes for something else because of how it begins."""
    line, column = site.line, site.column
    if re.search("block scalar|an anchor|an alias|a tag$", site.context):
        line, column = site.opened_line, site.opened_column
    elif not ("start any token" in site.problem and site.character in {"@", "`", "%"}):
        return None
    character = site.line_text(line)[column : column + 1]
    return needs_quotes(site, line, column, f"a value that begins with `{character}` must be in quotes")


def _stray_bracket(site: Site) -> Diagnostic | None:
    if "node content" not in site.problem:
        return None
    if site.at_end:
        return _last_bracket(site)
    if site.character == "-":
        help = "between `[` and `]` separate items by commas, without dashes"
        return fault("yaml-syntax", "a dash can't begin an item inside of brackets", site.here(), help)
    if site.character == "," or "flow" in site.context:
        return fault(
            "yaml-syntax",
            f"a value is missing before `{site.character}`",
            site.here(),
            "delete the surplus comma, or write the value; text that begins with a comma needs quotes",
        )
    return needs_quotes(site, site.line, site.column, f"`{site.character}` closes nothing that is open")


def _last_bracket(site: Site) -> Diagnostic | None:
    """The file ends where a value should follow: the last bracket that was opened is to blame."""
    for line in (site.line, *site.above()):
        column = max(site.line_text(line).rfind(bracket) for bracket in "[{")
        if column >= 0:
            where = site.location(line, column, column + 1)
            help = "close it with `]` for a list or `}` for a map, or put quotes around text that begins with a bracket"
            return fault("yaml-not-closed", f"this `{site.line_text(line)[column]}` is never closed", where, help)
    return None


_CAUSES: tuple[Callable[[Site], Diagnostic | None], ...] = (
    _too_deep,
    _directive,
    _tab,
    _quote_not_closed,
    _escape,
    _variable_in_brackets,
    _bracket_not_closed,
    _first_character,
    _stray_bracket,
    missing_key,
    colon_in_value,
    missing_space,
    missing_colon,
    list_beside_key,
    text_after_value,
    document_goes_on,
    indentation,
)
