"""`{name: user_id, type: categorical, dim: 16}`."""

from collections.abc import Iterator
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
from recplat.lang.kinds import Fault, Transform


class Options(kinds.Options, KeyedFeature, frozen=True, kw_only=True, tag="categorical"):
    """A key, or with `multivalent` a set of keys, whose embedding is looked up in a table.

    Keys are texts or whole numbers as the file has them: `01`, `1` and `1.0` of a CSV file are three keys. A null
    inside a list is dropped and counted; a null list is an empty bag, which is pooled to zeros.
    """

    name: Annotated[Name, doc("Name of the feature.", "user_id")]
    column: Annotated[
        Column, doc("The column it is read from; by default the one of its name.", "user_id"), DEFAULT_NAME
    ]
    table: Annotated[
        Name, doc("The table that is looked up; features share one by naming it.", "user_id"), DEFAULT_NAME
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
    multivalent: Annotated[bool, doc("Whether a row holds a set of keys: a list column, or text with `separator`.")] = (
        False
    )
    separator: Annotated[
        Annotated[str, Meta(min_length=1, max_length=16)] | None,
        doc("What stands between the keys of a text column; spaces around a key are removed.", "|"),
    ] = None
    pooling: Annotated[
        Literal["sum", "mean"],
        doc("How the embeddings of a row's keys become one. `mean` keeps their scale however many there are."),
    ] = "mean"

    def is_list(self) -> bool:
        return self.multivalent

    def pooling_type(self) -> Literal["sum", "mean"]:
        return self.pooling if self.multivalent else "sum"

    def faults(self) -> Iterator[Fault]:
        yield from super().faults()
        if self.separator is not None and not self.multivalent:
            yield Fault(
                code="separator-without-list",
                field="separator",
                message=f"`{self.name}` has a separator but is not multivalent, so its texts would not be divided",
                help="write `multivalent: true`, or remove `separator`",
            )
