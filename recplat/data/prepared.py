"""The layout of prepared data: what `prepare` writes and the batches are read from.

A folder with `train.arrow`, `eval.arrow`, `test.arrow` (those parts that exist) and `prepared.json`, which is written
last. Each Arrow IPC file is memory-mapped. Its record batches all hold `block_rows` rows, the last one fewer. Columns:

    dense         fixed_size_list<float32>[D]   numeric features in the plan's order; absent where D = 0
    ids           fixed_size_list<int32|int64>[F]   ids of the features that give one id a row, in the plan's order
    bag:<name>    list<int32|int64>             ids of a list feature
    label         float32                       0.0 or 1.0
    weight        float32                       absent where the spec names no weight
    group:<col>   int64                         a number for each distinct value of a metric's group column

Rows are in the order of the source; shuffling is the reader's.
"""

from msgspec import Struct

PREPARED_FORMAT = 2
BLOCK_ROWS = 16_384


class PreparedPart(Struct, frozen=True, kw_only=True):
    file: str
    num_bytes: int  # of the file
    num_rows: int
    num_dropped: int
    counts: dict[str, dict[str, int]]  # feature -> "nulls", "unknown", "out_of_range", "clipped", … -> values


class Prepared(Struct, frozen=True, kw_only=True):
    """`prepared.json`."""

    format: int
    key: str
    statistics_digest: str
    block_rows: int
    dense: tuple[str, ...]
    ids: tuple[str, ...]
    bags: tuple[str, ...]
    groups: tuple[str, ...]
    has_weight: bool
    parts: dict[str, PreparedPart]
