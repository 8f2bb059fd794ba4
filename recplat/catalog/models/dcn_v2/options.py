"""`model: {type: dcn_v2}`."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from recplat.lang import kinds
from recplat.lang.fields import Count, doc
from recplat.lang.layers import NOT_OF_A_MODEL, Activation, BatchNorm, Dropout, Units, mlp_flops, mlp_parameters
from recplat.lang.shapes import ModelInputs


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="dcn_v2"):
    """DCN-v2: cross layers, which multiply the inputs with each other, and an MLP.

    The inputs are the dense features and all embeddings side by side; tables may differ in `dim`. Each cross layer is
    x' = x0 * (W x + b) + x and raises the degree of the products by one.
    Source: Wang et al., 2021, https://arxiv.org/abs/2008.13535.
    """

    refused: ClassVar[Mapping[str, str]] = NOT_OF_A_MODEL

    structure: Annotated[
        Literal["parallel", "stacked"],
        doc(
            "parallel: cross layers and MLP side by side, their logits added. stacked: the MLP after the cross layers."
        ),
    ] = "parallel"
    num_cross_layers: Annotated[int, doc("Number of cross layers.", 3, ge=1, le=32)] = 3
    low_rank: Annotated[
        Count | None,
        doc("Rank of the cross layers' weights, which saves work below half of the width; by default full.", 64),
    ] = None
    hidden_units: Annotated[
        Units, doc("Hidden layers of the MLP, in units; an empty list leaves the cross layers alone.", [256, 128])
    ] = (256, 128)
    activation: Activation = "relu"
    dropout: Dropout = 0.0
    batch_norm: BatchNorm = False

    def num_parameters(self, inputs: ModelInputs) -> int:
        width = inputs.width
        cross = width * width if self.low_rank is None else 2 * width * self.low_rank
        # Parallel with an MLP, the cross layers have a logit's weights of their own; the bias is shared.
        head = width if self.has_two_heads else 0
        mlp = mlp_parameters(width, self.hidden_units, num_outputs=1, batch_norm=self.batch_norm)
        return self.num_cross_layers * (cross + width) + head + mlp

    def flops(self, inputs: ModelInputs) -> int:
        width = inputs.width
        product = 2 * width * width if self.low_rank is None else 4 * width * self.low_rank
        head = 2 * width if self.has_two_heads else 0
        mlp = mlp_flops(width, self.hidden_units, num_outputs=1)
        return self.num_cross_layers * (product + 2 * width) + head + mlp

    @property
    def has_two_heads(self) -> bool:
        """Whether the cross layers' output has a logit of its own beside the MLP's."""
        return self.structure == "parallel" and bool(self.hidden_units)
