"""log(1 + x)."""

import numpy as np

from recplat.catalog.transforms.log1p.options import Options
from recplat.catalog.values import BadValue, Numbers, Outcome


def transform(options: Options, numbers: Numbers, state: None) -> Outcome:
    is_negative = numbers < 0
    counts = {"negative": int(is_negative.sum())}
    if options.negative == "signed":
        return Outcome(np.copysign(np.log1p(np.abs(numbers)), numbers), counts)
    if counts["negative"] and options.negative == "error":
        index = int(np.flatnonzero(is_negative)[0])
        raise BadValue(
            "data-value-negative",
            index,
            f"`log1p` meets the negative number {numbers[index]:g}",
            "write `negative: clip` to take it as 0, or `negative: signed` to keep its sign",
        )
    return Outcome(np.log1p(np.where(is_negative, 0.0, numbers)), counts)
