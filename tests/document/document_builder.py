"""What tests of documents share."""

from collections.abc import Callable

from recplat.diagnostics import Diagnostic, Location, Problems


def faults(action: Callable[[], object]) -> tuple[Diagnostic, ...]:
    """The diagnostics that an action raises; none if it doesn't."""
    try:
        action()
    except Problems as problems:
        return problems.diagnostics
    return ()


def codes(action: Callable[[], object]) -> list[str]:
    return [diagnostic.code for diagnostic in faults(action)]


def span(location: Location | None) -> tuple[int, int, int]:
    """Line, column and end column of a place on one line."""
    assert location is not None
    assert location.line == location.end_line
    return location.line, location.column, location.end_column
