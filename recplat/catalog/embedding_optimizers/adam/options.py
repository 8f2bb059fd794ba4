"""`embedding_optimizer: {type: adam}`."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.shapes import Device


class Options(kinds.Options, kinds.EmbeddingOptimizer, frozen=True, kw_only=True, tag="adam"):
    """Adam on the rows that were looked up: running means of other rows stand still.

    On CUDA the update runs in the backward pass; on the CPU, where FBGEMM has no such kernel, an optimiser of recplat
    does the same after it, which costs a gradient of the size of the table.
    """

    refused: ClassVar[Mapping[str, str]] = {
        "weight_decay": "it would decay looked-up rows only; "
        "put `weight_decay` on `train.dense_optimizer`, or lower the tables' `learning_rate`"
    }

    learning_rate: Annotated[float, doc("Learning rate before the schedule's factor.", 0.001, gt=0)] = 0.001
    beta1: Annotated[float, doc("Decay of the gradient's running mean, per step.", 0.9, ge=0, lt=1)] = 0.9
    beta2: Annotated[float, doc("Decay of its square's running mean, per step.", 0.999, ge=0, lt=1)] = 0.999
    eps: Annotated[float, doc("Added to the root of the mean square.", 1e-8, gt=0)] = 1e-8

    def kernel(self, device: Device) -> Literal["fused", "dense"]:
        return "fused" if device.type == "cuda" else "dense"

    def kernel_reason(self, device: Device) -> str:
        if device.type == "cuda":
            return "rows are updated in the backward pass, those looked up only"
        return "FBGEMM has no fused Adam on the CPU; a gradient of the table's size is made each step"

    def state_bytes(self, num_rows: int, storage_dim: int) -> int:
        return 8 * num_rows * storage_dim
