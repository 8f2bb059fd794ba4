"""The `features:` section that an inspected source suggests, as YAML text with reasons."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from recplat.data.inspecting import ColumnReport, Inspection
from recplat.lang.fields import NAME_PATTERN

_LABELS = ("label", "click", "clicked", "is_click", "target", "y", "rating", "liked", "conversion", "purchase")
_KEY_NAME = re.compile(r"(^|_)(id|key|code|no|nr)s?$|[a-z]Id$", re.IGNORECASE)
_TIME_NAME = re.compile(r"(^|_)(timestamp|time|date|datetime|ts)$", re.IGNORECASE)
_FEW_NUMBERS = 32
_MANY_KEYS = 500_000
_BUCKETS = 1_000_000
_DIM = 16
_NEARLY_UNIQUE = 0.9
_MIN_ROWS = 1000
_MAX_NAME = 200  # of `recplat.lang.fields.Name`


def propose(inspection: Inspection) -> str:
    """YAML that a spec can hold; columns that make no feature are comments with the reason."""
    label = label_of(inspection)
    names = feature_names([column.name for column in inspection.columns])
    lines = ["features:"]
    for column in inspection.columns:
        lines.append(f"  {_line(column, names[column.name], inspection.num_rows, is_label=column is label)}")
    return "\n".join(lines) + "\n"


def _line(column: ColumnReport, name: str, num_rows: int, *, is_label: bool) -> str:
    reason = no_feature(column, num_rows, is_label=is_label)
    if reason is not None:
        return f"# {' '.join(column.name.split())}: {reason}"
    return f"- {{{', '.join(f'{key}: {value}' for key, value in _fields(column, name))}}}"


def label_of(inspection: Inspection) -> ColumnReport | None:
    """The column whose name is usual for a label."""
    return next((c for wanted in _LABELS for c in inspection.columns if c.name.lower() == wanted), None)


def is_time(column: ColumnReport) -> bool:
    return column.kind == "time" or _TIME_NAME.search(column.name) is not None


def no_feature(column: ColumnReport, num_rows: int, *, is_label: bool) -> str | None:
    """Why a column makes no feature, None where it makes one."""
    if is_label:
        return "looks like the label"
    if is_time(column):
        return "a time; `split: {by: time}` can use it"
    if column.kind in ("nothing", "other"):
        return f"holds {'no values' if column.kind == 'nothing' else 'values of type ' + column.type}"
    distinct = column.num_distinct
    if distinct == 1 and column.num_nulls == 0:
        return "the same in every row"
    if column.kind == "text" and num_rows >= _MIN_ROWS and (distinct is None or distinct > _NEARLY_UNIQUE * num_rows):
        return "nearly every row has a text of its own"
    return None


def _fields(column: ColumnReport, name: str) -> Iterator[tuple[str, str]]:
    yield "name", _quoted(name)
    if name != column.name:
        yield "column", _quoted(column.name)
    if is_number(column):
        yield "type", "numeric"
        is_positive = column.min is not None and column.min >= 0
        yield "transform", "[log1p, zscore]" if is_positive and (column.max or 0) > 100 else "zscore"
        return
    yield "type", "categorical"
    yield "dim", str(_DIM)
    if column.kind.startswith("list"):
        yield "multivalent", "true"
    if column.num_distinct is None or column.num_distinct > _MANY_KEYS:
        yield "transform", f"{{type: hash, buckets: {_BUCKETS}}}"


def is_number(column: ColumnReport) -> bool:
    """Whether its values are better taken as numbers than as keys."""
    if column.kind == "number":
        return True
    if column.kind != "whole number" or _KEY_NAME.search(column.name):
        return False
    return column.num_distinct is None or column.num_distinct > _FEW_NUMBERS


def feature_names(columns: Iterable[str]) -> dict[str, str]:
    """Column -> the name of its feature: its own, or the nearest that a feature may have; no two are the same."""
    names = {column: column for column in columns if _is_name(column)}
    for column in columns:
        if column not in names:
            names[column] = _free(_nearest_name(column), set(names.values()))
    return names


def _is_name(text: str) -> bool:
    return re.fullmatch(NAME_PATTERN, text) is not None and len(text) <= _MAX_NAME


def _nearest_name(column: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", column).strip("_-") or "column"
    return (f"c_{name}" if name[0].isdigit() else name)[: _MAX_NAME - 10]


def _free(name: str, taken: set[str]) -> str:
    number = 2
    found = name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def _quoted(text: str) -> str:
    # JSON's strings are YAML's; plain where nothing can be misread.
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) and text.lower() not in _WORDS
    return text if plain else msgspec.json.encode(text).decode()


_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
