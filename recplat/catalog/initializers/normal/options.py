"""`initializer: {type: normal}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Initializer, frozen=True, kw_only=True, tag="normal"):
    """Normally distributed around 0."""

    std: Annotated[float, doc("Standard deviation.", 0.01, gt=0)] = 0.01
