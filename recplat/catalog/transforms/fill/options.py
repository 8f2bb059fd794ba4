"""`transform: {type: fill, value: 0}`."""

from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="fill"):
    """Puts a value where one is missing, and counts it.

    Without it a missing number ends as 0.0, a missing key as id 0.
    """

    takes = ("number", "key")
    gives = None

    value: Annotated[
        float | int | str,
        doc("The value: a number, or a key in the form the column has; in the unit that holds at this place.", 0),
    ]
