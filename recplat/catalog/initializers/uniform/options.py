"""`initializer: {type: uniform}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Initializer, frozen=True, kw_only=True, tag="uniform"):
    """Equally likely between `-bound` and `bound`."""

    bound: Annotated[float, doc("Largest absolute value.", 0.05, gt=0)] = 0.05
