"""`transform: log1p`."""

from typing import Annotated, Literal

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="log1p"):
    """log(1 + x), for counts and amounts whose large values lie far apart."""

    takes = ("number",)
    gives = "number"

    negative: Annotated[
        Literal["clip", "error", "signed"],
        doc(
            "A number below 0: `clip` takes it as 0, `error` refuses the row, `signed` gives -log(1 - x); the first "
            "and the last count it."
        ),
    ] = "clip"
