"""`{name: age, type: numeric, transform: zscore}`."""

from collections.abc import Iterator
from typing import Annotated, Literal

from recplat.lang import kinds
from recplat.lang.chains import chain_faults, start_of
from recplat.lang.fields import DEFAULT_NAME, ONE_OR_MANY, Column, Name, default, doc
from recplat.lang.kinds import Fault, Transform, Values
from recplat.lang.statistics import FeatureStatistics


class Options(kinds.Options, kinds.Feature, frozen=True, kw_only=True, tag="numeric"):
    """A number, one column of the dense input.

    Null, NaN and infinity count as missing; what no `fill` has filled ends as 0.0. Booleans are 0 and 1. Text is read
    as a number, where `NA`, `null`, `None` and an empty text are missing.
    """

    gives = "dense"

    name: Annotated[Name, doc("Name of the feature.", "age")]
    column: Annotated[Column, doc("The column it is read from; by default the one of its name.", "age"), DEFAULT_NAME]
    transform: Annotated[
        tuple[Transform, ...],
        doc("Transforms in order, each by name or with its options.", ["log1p", "zscore"]),
        ONE_OR_MANY,
        default([]),
    ]

    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def transforms(self) -> tuple[Transform, ...]:
        return self.transform

    def reads(self) -> Values:
        return start_of(self.transform, starts=("number",), ends="number")

    def num_rows(self, statistics: FeatureStatistics | None) -> int | None:
        return None

    def pooling_type(self) -> Literal["sum", "mean"]:
        return "sum"

    def faults(self) -> Iterator[Fault]:
        yield from chain_faults(self.transform, starts=("number",), ends="number")
