"""Data and statistics as tables of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recplat.cli._table import columns

if TYPE_CHECKING:
    from recplat.data.inspecting import ColumnReport, Inspection
    from recplat.lang.statistics import FeatureStatistics, Statistics

_MAX_FILES = 5


def inspection_text(inspection: Inspection) -> str:
    shown = ", ".join(inspection.files[:_MAX_FILES])
    more = f" and {len(inspection.files) - _MAX_FILES} more" if len(inspection.files) > _MAX_FILES else ""
    heading = ("column", "type", "holds", "nulls", "distinct", "min", "max", "examples")
    table = columns([heading, *(_column(each) for each in inspection.columns)], right=(3, 4, 5, 6))
    return f"{shown}{more}: {inspection.num_rows:,} rows\n\n{table}"


def statistics_text(statistics: Statistics) -> str:
    parts = [("part", "rows", "positive")]
    for name, part in statistics.parts.items():
        share = f"{part.num_positive / part.num_rows:.2%}" if part.num_rows else "-"
        parts.append((name, f"{part.num_rows:,}", share))
    heading = ("feature", "values", "nulls", "longest", "learned")
    features = [_feature(name, feature) for name, feature in statistics.features.items()]
    table = columns([heading, *features], right=(1, 2, 3))
    return f"{columns(parts, right=(1, 2))}\n\n{table}\n\nlock {statistics.digest[:12]}"


def _column(column: ColumnReport) -> tuple[str, ...]:
    length = "" if column.mean_length is None else f", {column.mean_length:.3g} a row"
    distinct = "" if column.num_distinct is None else f"{column.num_distinct:,}"
    low, high = ("" if value is None else f"{value:g}" for value in (column.min, column.max))
    examples = ", ".join(column.examples)
    return (column.name, column.type, column.kind + length, f"{column.num_nulls:,}", distinct, low, high, examples)


def _feature(name: str, feature: FeatureStatistics) -> tuple[str, ...]:
    learned = []
    for each in feature.transforms:
        if each.vocabulary is not None:
            learned.append(f"vocabulary of {each.vocabulary.num_values:,}")
        if each.moments is not None:
            moments = each.moments
            learned.append(f"{moments.min:.4g} .. {moments.max:.4g}, mean {moments.mean:.4g}, std {moments.std:.4g}")
    return (name, f"{feature.num_values:,}", f"{feature.num_nulls:,}", str(feature.max_length), "; ".join(learned))
