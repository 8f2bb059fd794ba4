"""`{name: clicked, type: sequence, dim: 16, max_length: 50}`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from recplat.lang import kinds
from recplat.lang.fields import (
    AUTHORING_ONLY,
    DEFAULT_NAME,
    ONE_OR_MANY,
    Column,
    Name,
    default,
    doc,
)
from recplat.lang.keyed import KeyedFeature
from recplat.lang.kinds import Transform


class Options(kinds.Options, KeyedFeature, frozen=True, kw_only=True, tag="sequence"):
    """Keys in the order of time, the oldest first, cut to a length; their embeddings are pooled.

    A null inside a list is dropped and counted before the cut; a null list is an empty bag, which is pooled to zeros.
    """

    name: Annotated[Name, doc("Name of the feature.", "clicked")]
    column: Annotated[
        Column, doc("The column it is read from; by default the one of its name.", "clicked"), DEFAULT_NAME
    ]
    table: Annotated[
        Name, doc("The table that is looked up; features share one by naming it.", "item_id"), DEFAULT_NAME
    ]
    dim: Annotated[
        Annotated[int, Meta(ge=1, le=4096)] | UnsetType,
        doc("Columns of its table; the normal form says it there.", 16),
        AUTHORING_ONLY,
    ] = UNSET
    dtype: Annotated[
        Literal["auto", "string", "int"],
        doc(
            "How keys are read. `auto`: text from CSV and TSV, the file's own type from Parquet. `int` refuses numbers "
            "with fractions. A chain that begins with numbers (`boundaries`) reads numbers whatever stands here."
        ),
    ] = "auto"
    transform: Annotated[
        tuple[Transform, ...],
        doc("Transforms in order, each by name or with its options; the last gives ids.", "vocabulary", min_length=1),
        ONE_OR_MANY,
        default("vocabulary"),
    ]
    separator: Annotated[
        Annotated[str, Meta(min_length=1, max_length=16)] | None,
        doc("What stands between the keys of a text column; spaces around a key are removed.", "|"),
    ] = None
    max_length: Annotated[int, doc("Most keys of a row; the others are cut off and counted.", 50, ge=1, le=100_000)]
    keep: Annotated[Literal["last", "first"], doc("Which keys stay when a row has more than `max_length`.")] = "last"
    pooling: Annotated[
        Literal["sum", "mean"],
        doc("How the embeddings of a row's keys become one. `mean` keeps their scale however long the row is."),
    ] = "mean"

    def is_list(self) -> bool:
        return True

    def pooling_type(self) -> Literal["sum", "mean"]:
        return self.pooling
