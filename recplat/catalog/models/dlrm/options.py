"""`model: {type: dlrm}`."""

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


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="dlrm"):
    """DLRM: dot products between all embeddings and a vector made of the dense features, then an MLP.

    All tables have one `dim`. The bottom MLP turns the dense features into a vector of that width; the top MLP is given
    that vector and the dot products of all pairs. Without dense features the embeddings themselves take the vector's
    place beside the products. Source: Naumov et al., 2019, https://arxiv.org/abs/1906.00091.
    """

    refused: ClassVar[Mapping[str, str]] = NOT_OF_A_MODEL

    bottom_mlp: Annotated[
        Units,
        doc("Hidden layers of the bottom MLP, in units; one more layer as wide as the embeddings follows.", [128, 64]),
    ] = (128, 64)
    top_mlp: Annotated[
        Units, doc("Hidden layers of the top MLP, in units; the logit's own layer follows.", [256, 128])
    ] = (256, 128)
    activation: Activation = "relu"
    dropout: Dropout = 0.0
    batch_norm: BatchNorm = False

    def check_inputs(self, inputs: ModelInputs) -> Iterator[kinds.Fault]:
        return check_equal_dims("dlrm", inputs)

    def bottom_units(self, inputs: ModelInputs) -> tuple[int, ...]:
        """All layers of the bottom MLP, the one as wide as the embeddings included."""
        return (*self.bottom_mlp, *(bag.dim for bag in inputs.bags[:1]))

    def num_vectors(self, inputs: ModelInputs) -> int:
        """Vectors that are multiplied with each other."""
        return len(inputs.bags) + (1 if inputs.num_dense else 0)

    def top_width(self, inputs: ModelInputs) -> int:
        """Inputs of the top MLP."""
        vectors = self.num_vectors(inputs)
        passed = (inputs.num_dense, *self.bottom_units(inputs))[-1] if inputs.num_dense else inputs.width
        return passed + vectors * (vectors - 1) // 2

    def num_parameters(self, inputs: ModelInputs) -> int:
        bottom = self._bottom_parameters(inputs) if inputs.num_dense else 0
        top = mlp_parameters(self.top_width(inputs), self.top_mlp, num_outputs=1, batch_norm=self.batch_norm)
        return bottom + top

    def flops(self, inputs: ModelInputs) -> int:
        bottom = mlp_flops(inputs.num_dense, self.bottom_units(inputs), num_outputs=None) if inputs.num_dense else 0
        vectors = self.num_vectors(inputs)
        # The product of all vectors with all is computed as a whole; half of it is used.
        interaction = 2 * vectors * vectors * inputs.bags[0].dim if vectors > 1 else 0
        return bottom + interaction + mlp_flops(self.top_width(inputs), self.top_mlp, num_outputs=1)

    def _bottom_parameters(self, inputs: ModelInputs) -> int:
        units = self.bottom_units(inputs)
        return mlp_parameters(inputs.num_dense, units, num_outputs=None, batch_norm=self.batch_norm)
