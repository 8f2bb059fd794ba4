"""`metrics: [{type: accuracy, threshold: 0.3}]`."""

from typing import Annotated, ClassVar

from recplat.lang import kinds
from recplat.lang.fields import doc

_DEFAULT_THRESHOLD = 0.5


class Options(kinds.Options, kinds.Metric, frozen=True, kw_only=True, tag="accuracy"):
    """Share of rows whose predicted class is right.

    With a threshold of its own it is named after it: `accuracy_0.3`.
    """

    higher_is_better: ClassVar[bool | None] = True

    threshold: Annotated[
        float, doc("Predicted probability from which a row counts as positive.", 0.3, gt=0.0, lt=1.0)
    ] = _DEFAULT_THRESHOLD

    def metric_name(self) -> str:
        return "accuracy" if self.threshold == _DEFAULT_THRESHOLD else f"accuracy_{self.threshold:g}"
