"""Two runs side by side."""

from __future__ import annotations

from msgspec import Struct

from recplat.cli._known_runs import Details
from recplat.tracking.record import Record
from recplat.tracking.spec_changes import NAMED_LISTS, missing_names


class MetricPair(Struct, frozen=True, kw_only=True):
    name: str
    a: float | None
    b: float | None
    difference: float | None  # b - a


class FieldPair(Struct, frozen=True, kw_only=True):
    """A field of the spec with two values; None where a run does not have it."""

    path: str
    a: str | None
    b: str | None


class Comparison(Struct, frozen=True, kw_only=True):
    a: Record
    b: Record
    metrics: tuple[MetricPair, ...]
    fields: tuple[FieldPair, ...]  # those that differ
    only_a: dict[str, tuple[str, ...]]  # "features" and "tables" -> names that B lacks
    only_b: dict[str, tuple[str, ...]]


def compare(a: Details, b: Details) -> Comparison:
    metrics_a, metrics_b = a.record.metrics, b.record.metrics
    return Comparison(
        a=a.record,
        b=b.record,
        metrics=tuple(_pair(name, metrics_a.get(name), metrics_b.get(name)) for name in {**metrics_a, **metrics_b}),
        fields=tuple(
            FieldPair(path=path, a=a.fields.get(path), b=b.fields.get(path))
            for path in {**a.fields, **b.fields}
            if a.fields.get(path) != b.fields.get(path)
        ),
        only_a={kind: missing_names(a.fields, b.fields, kind) for kind in NAMED_LISTS},
        only_b={kind: missing_names(b.fields, a.fields, kind) for kind in NAMED_LISTS},
    )


def _pair(name: str, a: float | None, b: float | None) -> MetricPair:
    return MetricPair(name=name, a=a, b=b, difference=None if a is None or b is None else b - a)
