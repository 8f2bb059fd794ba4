"""`model: {type: deepfm}`."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from recplat.lang import kinds
from recplat.lang.fields import doc
from recplat.lang.layers import (
    NOT_OF_A_MODEL,
    Activation,
    BatchNorm,
    Dropout,
    Units,
    check_equal_dims,
    mlp_flops,
    mlp_parameters,
)
from recplat.lang.shapes import ModelInputs


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="deepfm"):
    """DeepFM: a factorisation machine and an MLP over the same embeddings, their logits added.

    The factorisation machine has one weight for each id, kept in the table beside its embedding, one for each dense
    feature, and the dot products of all pairs of vectors. A dense feature's vector is its value times a vector that is
    learned. The MLP is given the dense features and the embeddings. All tables have one `dim`.
    Source: Guo et al., 2017, https://arxiv.org/abs/1703.04247.
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

    def check_inputs(self, inputs: ModelInputs) -> Iterator[kinds.Fault]:
        return check_equal_dims("deepfm", inputs)

    def num_parameters(self, inputs: ModelInputs) -> int:
        linear = inputs.num_dense + 1
        vectors = inputs.num_dense * _dim(inputs)
        mlp = mlp_parameters(inputs.width, self.hidden_units, num_outputs=1, batch_norm=self.batch_norm)
        return linear + vectors + mlp

    def flops(self, inputs: ModelInputs) -> int:
        linear = 2 * inputs.num_dense + len(inputs.bags)
        dim = _dim(inputs)
        # Sum and sum of squares over the bags, the same over the dense features, the square of the sum.
        pairs = 3 * len(inputs.bags) * dim + inputs.num_dense * (2 * dim + 2) + 2 * dim
        return linear + pairs + mlp_flops(inputs.width, self.hidden_units, num_outputs=1)


def _dim(inputs: ModelInputs) -> int:
    """Width of all embeddings; 0 without any, which leaves no vectors to multiply."""
    return inputs.bags[0].dim if inputs.bags else 0
