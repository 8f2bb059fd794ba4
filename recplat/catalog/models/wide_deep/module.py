"""Axes: B rows of the batch, D dense features, E columns of the lookups, F bags, N columns of all embeddings."""

from torch import Tensor, cat, nn

from recplat.catalog.models.wide_deep.options import Options
from recplat.lang.shapes import ModelInputs
from recplat.nn import MLP, FlatBags, LinearTerms


class WideDeep(nn.Module):
    def __init__(self, options: Options, inputs: ModelInputs) -> None:
        super().__init__()
        self.bags = FlatBags(inputs, linear=True)
        self.wide = LinearTerms(inputs.num_dense)
        self.deep = MLP(
            inputs.width,
            options.hidden_units,
            num_outputs=1,
            activation=options.activation,
            dropout=options.dropout,
            batch_norm=options.batch_norm,
        )

    def forward(self, dense_BD: Tensor, pooled_BE: Tensor) -> Tensor:
        """Logits, `[B]`."""
        embeddings_BN, first_order_BF = self.bags(pooled_BE)
        deep_B = self.deep(cat([dense_BD, embeddings_BN], dim=1)).squeeze(1)
        logits_B: Tensor = self.wide(dense_BD, first_order_BF) + deep_B
        return logits_B


def build(options: Options, inputs: ModelInputs) -> nn.Module:
    return WideDeep(options, inputs)
