"""What a spec could say of an inspected source: the first proposal, which its author corrects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from recplat.lang.conditions import Condition, write_condition
from recplat.lang.fields import NAME_PATTERN

if TYPE_CHECKING:  # it loads Arrow, which `init --help` can do without
    from recplat.data.inspecting import ColumnReport, Inspection

_LABELS = ("label", "click", "clicked", "is_click", "target", "y", "rating", "liked", "conversion", "purchase")
_NEGATIVES = ("0", "no", "n", "none", "false", "f", "neg", "negative", "view", "impression", "skip", "dislike")
_KEY_NAME = re.compile(r"(^|_)(id|key|code|no|nr)s?$|[a-z]Id$", re.IGNORECASE)
_TIME_NAME = re.compile(r"(^|_)(timestamp|time|date|datetime|ts)$", re.IGNORECASE)
_FEW_NUMBERS = 32
_MANY_KEYS = 500_000
_BUCKETS = 1_000_000
_DIM = 16
_NEARLY_UNIQUE = 0.9
_MIN_ROWS = 1000
_MAX_NAME = 200  # of `recplat.lang.fields.Name`
_LONG_TAIL = 100


class ProposedFeature(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    column: str
    options: tuple[tuple[str, str], ...]  # beside name and column; each with its value as YAML
    note: str | None = None


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A column that makes no feature."""

    column: str
    reason: str


class ProposedLabel(msgspec.Struct, frozen=True, kw_only=True):
    """`positive`: None where the column holds 0 and 1. `note`: what is guessed in it."""

    column: str
    positive: str | None = None
    note: str | None = None


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """`columns`: all of them, in their order; the label is left out."""

    label: ProposedLabel | None
    time: str | None  # a column that orders the rows
    columns: tuple[ProposedFeature | LeftOut, ...]

    @property
    def features(self) -> tuple[ProposedFeature, ...]:
        return tuple(column for column in self.columns if isinstance(column, ProposedFeature))


def propose(inspection: Inspection, label: ColumnReport | None = None) -> Proposal:
    """A proposal for all columns. `label`: the one to predict; None: the one that name or values make plain."""
    label = label or label_of(inspection)
    names = feature_names([column.name for column in inspection.columns])
    return Proposal(
        label=proposed_label(label) if label is not None else None,
        time=next((column.name for column in inspection.columns if column is not label and _is_time(column)), None),
        columns=tuple(_column(each, names[each.name], inspection, label) for each in inspection.columns),
    )


def label_of(inspection: Inspection) -> ColumnReport | None:
    """The column whose name is usual for a label, else one that holds 0 and 1."""
    named = (column for wanted in _LABELS for column in inspection.columns if column.name.lower() == wanted)
    return next(named, None) or next((column for column in inspection.columns if _is_zero_or_one(column)), None)


def may_be_label(column: ColumnReport) -> bool:
    return column.kind == "text" and len(column.values) == 2


def proposed_label(column: ColumnReport) -> ProposedLabel | None:
    """The column as label; None where nothing tells which of its values could be positive."""
    if _is_zero_or_one(column):
        return ProposedLabel(column=column.name)
    if column.kind in ("whole number", "number") and column.min is not None and column.max is not None:
        middle = (column.min + column.max) / 2
        positive = f">= {int(middle // 1) + 1}" if column.kind == "whole number" else f"> {middle:g}"
        note = f"it runs from {column.min:g} to {column.max:g}"
        return ProposedLabel(column=column.name, positive=positive, note=note)
    if column.kind != "text" or not column.values:
        return None
    # The rarer of two classes is most often the one that is looked for.
    likely = [value for value in column.values if value.lower() not in _NEGATIVES] or list(column.values)
    others = ", ".join(_on_one_line(value) for value in column.values if value != likely[-1])
    positive = write_condition(Condition("in", (likely[-1],)))
    return ProposedLabel(column=column.name, positive=positive, note=f"a guess; it also holds {others}")


def feature_names(columns: Iterable[str]) -> dict[str, str]:
    """Column -> the name of its feature: its own, or the nearest that a feature may have; no two are the same."""
    names = {column: column for column in columns if _is_name(column)}
    for column in columns:
        if column not in names:
            names[column] = _free(_nearest_name(column), set(names.values()))
    return names


def _column(
    column: ColumnReport, name: str, inspection: Inspection, label: ColumnReport | None
) -> ProposedFeature | LeftOut:
    reason = "looks like the label" if column is label else _no_feature(column, inspection.num_rows)
    if reason is not None:
        return LeftOut(column=column.name, reason=reason)
    note = (
        f"{' or '.join(map(_on_one_line, column.values))}: the label?" if not label and may_be_label(column) else None
    )
    return ProposedFeature(name=name, column=column.name, options=tuple(_options(column)), note=note)


def _no_feature(column: ColumnReport, num_rows: int) -> str | None:
    """Why a column makes no feature, None where it makes one."""
    if _is_time(column):
        return "a time; `split: {by: time}` can use it"
    if column.kind in ("nothing", "other"):
        return f"holds {'no values' if column.kind == 'nothing' else 'values of type ' + column.type}"
    distinct = column.num_distinct
    if distinct == 1 and column.num_nulls == 0:
        return "the same in every row"
    is_text = column.kind == "text" and column.separator is None
    if is_text and num_rows >= _MIN_ROWS and (distinct is None or distinct > _NEARLY_UNIQUE * num_rows):
        return "nearly every row has a text of its own"
    return None


def _options(column: ColumnReport) -> Iterator[tuple[str, str]]:
    if _is_number(column):
        yield "type", "numeric"
        is_positive = column.min is not None and column.min >= 0
        yield "transform", "[log1p, zscore]" if is_positive and (column.max or 0) > _LONG_TAIL else "zscore"
        return
    yield "type", "categorical"
    yield "dim", str(_DIM)
    if column.kind.startswith("list") or column.separator is not None:
        yield "multivalent", "true"
    if column.separator is not None:
        yield "separator", f'"{column.separator}"'
    elif column.num_distinct is None or column.num_distinct > _MANY_KEYS:
        yield "transform", f"{{type: hash, buckets: {_BUCKETS}}}"


def _is_time(column: ColumnReport) -> bool:
    return column.kind == "time" or _TIME_NAME.search(column.name) is not None


def _is_zero_or_one(column: ColumnReport) -> bool:
    is_bound = (column.min, column.max) == (0.0, 1.0) and column.num_distinct == 2
    return column.kind == "boolean" or (column.kind in ("whole number", "number") and is_bound)


def _is_number(column: ColumnReport) -> bool:
    """Whether its values are better taken as numbers than as keys."""
    if column.kind == "number":
        return True
    if column.kind != "whole number" or _KEY_NAME.search(column.name):
        return False
    return column.num_distinct is None or column.num_distinct > _FEW_NUMBERS


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


def _on_one_line(text: str) -> str:
    """Fit for a comment: in backticks, without line breaks and what a terminal would obey."""
    return f"`{''.join(each if each.isprintable() else ' ' for each in text)[:40]}`"
