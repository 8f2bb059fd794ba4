"""Axes: B rows of the batch, D dense features, E columns of the lookups, F bags, K columns of an embedding."""

from torch import Tensor, cat, nn

from recplat.catalog.models.dlrm.options import Options
from recplat.lang.shapes import ModelInputs
from recplat.nn import MLP, DotInteraction, StackedBags


class DLRM(nn.Module):
    def __init__(self, options: Options, inputs: ModelInputs) -> None:
        super().__init__()
        num_vectors = options.num_vectors(inputs)
        self.bottom = _mlp(options, inputs.num_dense, options.bottom_units(inputs)) if inputs.num_dense else None
        self.bags = StackedBags(inputs) if inputs.bags else None
        self.interaction = DotInteraction(num_vectors) if num_vectors > 1 else None
        self.top = _mlp(options, options.top_width(inputs), options.top_mlp, num_outputs=1)

    def forward(self, dense_BD: Tensor, pooled_BE: Tensor) -> Tensor:
        """Logits, `[B]`."""
        vectors: list[Tensor] = []  # each [B, 1, K] or [B, F, K]
        top_inputs: list[Tensor] = []
        if self.bottom is not None:
            bottom_BK = self.bottom(dense_BD)
            vectors.append(bottom_BK.unsqueeze(1))
            top_inputs.append(bottom_BK)
        if self.bags is not None:
            embeddings_BFK, _ = self.bags(pooled_BE)
            if self.bottom is None:
                top_inputs.append(embeddings_BFK.flatten(1))
            else:
                # Under autocast the bottom MLP gives bf16: join in bf16, or all would be widened and narrowed again.
                embeddings_BFK = embeddings_BFK.to(bottom_BK.dtype)
            vectors.append(embeddings_BFK)
        if self.interaction is not None:
            top_inputs.append(self.interaction(cat(vectors, dim=1)))
        logits_B: Tensor = self.top(cat(top_inputs, dim=1)).squeeze(1)
        return logits_B


def build(options: Options, inputs: ModelInputs) -> nn.Module:
    return DLRM(options, inputs)


def _mlp(options: Options, num_inputs: int, units: tuple[int, ...], *, num_outputs: int | None = None) -> MLP:
    return MLP(
        num_inputs,
        units,
        num_outputs=num_outputs,
        activation=options.activation,
        dropout=options.dropout,
        batch_norm=options.batch_norm,
    )
