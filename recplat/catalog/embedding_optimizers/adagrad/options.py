"""`embedding_optimizer: {type: adagrad}`."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.shapes import Device


class Options(kinds.Options, kinds.EmbeddingOptimizer, frozen=True, kw_only=True, tag="adagrad"):
    """Adagrad with a sum of squares for each weight (FBGEMM's exact Adagrad)."""

    refused: ClassVar[Mapping[str, str]] = {
        "weight_decay": "the update in the backward pass would ignore it; "
        "put `weight_decay` on `train.dense_optimizer`, or lower the tables' `learning_rate`"
    }

    learning_rate: Annotated[float, doc("Learning rate before the schedule's factor.", 0.02, gt=0)] = 0.02
    eps: Annotated[float, doc("Added to the root of the sum of squares.", 1e-8, gt=0)] = 1e-8

    def kernel(self, device: Device) -> Literal["fused", "dense"]:
        return "fused"

    def kernel_reason(self, device: Device) -> str:
        return "rows are updated in the backward pass, those looked up only"

    def state_bytes(self, num_rows: int, storage_dim: int) -> int:
        return 4 * num_rows * storage_dim
