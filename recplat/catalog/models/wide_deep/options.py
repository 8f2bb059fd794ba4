"""`model: {type: wide_deep}`."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.layers import NOT_OF_A_MODEL, Activation, BatchNorm, Dropout, Units, mlp_flops, mlp_parameters
from recplat.lang.shapes import ModelInputs


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="wide_deep"):
    """Wide & Deep: a linear model and an MLP, their logits added.

    The wide part has one weight for each id, kept in the table beside its embedding, and one for each dense feature;
    what it shall memorise of pairs is given to it as `cross` features. The deep part is an MLP over the dense features
    and all embeddings side by side; tables may differ in `dim`. Source: Cheng et al., 2016,
    https://arxiv.org/abs/1606.07792.
    """

    refused: ClassVar[Mapping[str, str]] = NOT_OF_A_MODEL

    hidden_units: Annotated[
        Units, doc("Hidden layers of the MLP, in units; the logit's own layer follows.", [256, 128])
    ] = (256, 128)
    activation: Activation = "relu"
    dropout: Dropout = 0.0
    batch_norm: BatchNorm = False

    def has_linear_terms(self) -> bool:
        return True

    def num_parameters(self, inputs: ModelInputs) -> int:
        wide = inputs.num_dense + 1
        return wide + mlp_parameters(inputs.width, self.hidden_units, num_outputs=1, batch_norm=self.batch_norm)

    def flops(self, inputs: ModelInputs) -> int:
        wide = 2 * inputs.num_dense + len(inputs.bags)
        return wide + mlp_flops(inputs.width, self.hidden_units, num_outputs=1)
