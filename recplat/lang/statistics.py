"""The statistics lock: all that planning needs to know of the data, small, hashed, fit for git."""

from typing import Literal

from msgspec import Struct

#: Row 0 of every table is the missing value, row 1 the unknown one; known values follow.
MISSING_ID = 0
UNKNOWN_ID = 1
NUM_RESERVED_IDS = 2

#: How a feature's values are held before its first transform.
ValueType = Literal["string", "int64", "uint64", "float64"]

#: The three parts of the data, in the order in which a run meets them.
PARTS = ("train", "eval", "test")


class Vocabulary(Struct, frozen=True, kw_only=True):
    """A vocabulary without its values: those lie in `file` beside the lock."""

    num_values: int
    digest: str  # xxh3-128 of the values in their order, in hexadecimal
    file: str


class Moments(Struct, frozen=True, kw_only=True):
    """Of the finite values that reach the transform which asks for them, in training rows."""

    count: int
    mean: float
    std: float  # population standard deviation; 0.0 for a constant column or none at all
    min: float
    max: float


class TransformStatistics(Struct, frozen=True, kw_only=True):
    """What one transform learned from the training rows; which field is set depends on what it asked for."""

    vocabulary: Vocabulary | None = None
    moments: Moments | None = None


class FeatureStatistics(Struct, frozen=True, kw_only=True):
    """One feature in the training rows."""

    num_values: int  # values, over all rows; differs from the number of rows for lists
    num_nulls: int
    max_length: int  # longest list in a row; 1 for a scalar column
    mean_length: float
    value_type: ValueType = "string"  # as found in the files; a server reads its requests the same way
    transforms: tuple[TransformStatistics, ...] = ()  # one for each transform of the feature, in order


class PartStatistics(Struct, frozen=True, kw_only=True):
    num_rows: int
    num_positive: int
    weight: float  # the sum of the weights; the number of rows where no weight column is named


class SourceFile(Struct, frozen=True, kw_only=True):
    """One input file as it was when it was read; `mtime_ns` is not part of the lock's hash."""

    path: str
    num_bytes: int
    mtime_ns: int


class Statistics(Struct, frozen=True, kw_only=True):
    """The lock. `key` says which spec fields and transforms it belongs to; `digest` covers its content."""

    format: int
    key: str
    digest: str
    files: tuple[SourceFile, ...]
    parts: dict[str, PartStatistics]
    features: dict[str, FeatureStatistics]
    code_digest: str | None = None  # of features and transforms from outside of recplat; None: there are none
