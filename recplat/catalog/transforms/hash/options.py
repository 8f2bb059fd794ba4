"""`transform: {type: hash, buckets: 100000}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import Seed, doc
from recplat.lang.statistics import NUM_RESERVED_IDS, TransformStatistics


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="hash"):
    """A key's bucket by its hash: needs no vocabulary and knows every key, but keys may share a bucket.

    xxh3-64 of the UTF-8 bytes of a text, splitmix64 of a whole number, then mixed with the seed; the same in every
    process and version. A missing key gets id 0; bucket b is id b + 2.
    """

    takes = ("key",)
    gives = "id"

    buckets: Annotated[int, doc("Buckets; the table gets two rows more.", 100_000, ge=1, le=2**40)]
    seed: Annotated[
        Seed, doc("Mixed into the hash. Features that share a table need the same seed and the same buckets.", 0)
    ] = 0

    def num_rows(self, statistics: TransformStatistics | None) -> int | None:
        return self.buckets + NUM_RESERVED_IDS
