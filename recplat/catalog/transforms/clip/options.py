"""`transform: {type: clip, min: 0, max: 100}`."""

from collections.abc import Iterator
from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.kinds import Fault


class Options(kinds.Options, kinds.Transform, frozen=True, kw_only=True, tag="clip"):
    """Moves numbers outside of a range to its nearest end, and counts them."""

    takes = ("number",)
    gives = "number"

    min: Annotated[float | None, doc("Least value, in the unit that the number has here.", 0)] = None
    max: Annotated[float | None, doc("Greatest value, likewise.", 100)] = None

    def faults(self) -> Iterator[Fault]:
        if self.min is None and self.max is None:
            yield Fault(
                code="clip-without-bounds",
                field="min",
                message="`clip` has neither `min` nor `max`, so it would do nothing",
                help="write one of them, or remove `clip`",
            )
        elif self.min is not None and self.max is not None and self.min > self.max:
            yield Fault(
                code="clip-bounds-crossed",
                field="max",
                message=f"`max: {self.max:g}` lies below `min: {self.min:g}`",
                help="swap the two",
            )
