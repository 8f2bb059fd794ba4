"""Axes: B rows of the batch, D dense features, E columns of the lookups, F bags, K columns of an embedding."""

from torch import Tensor, cat, nn

from recplat.catalog.models.deepfm.options import Options
from recplat.lang.shapes import ModelInputs
from recplat.nn import MLP, FactorizationMachine, LinearTerms, StackedBags


class DeepFM(nn.Module):
    def __init__(self, options: Options, inputs: ModelInputs) -> None:
        super().__init__()
        self.bags = StackedBags(inputs, linear=True) if inputs.bags else None
        self.linear = LinearTerms(inputs.num_dense)
        self.pairs = FactorizationMachine(inputs.num_dense, inputs.bags[0].dim) if inputs.bags else None
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
        if self.bags is None or self.pairs is None:
            dense_logits_B: Tensor = self.linear(dense_BD, None) + self.deep(dense_BD).squeeze(1)
            return dense_logits_B
        embeddings_BFK, first_order_BF = self.bags(pooled_BE)
        deep_B = self.deep(cat([dense_BD, embeddings_BFK.flatten(1)], dim=1)).squeeze(1)
        pairs_B = self.pairs(dense_BD, embeddings_BFK)
        logits_B: Tensor = self.linear(dense_BD, first_order_BF) + pairs_B + deep_B
        return logits_B


def build(options: Options, inputs: ModelInputs) -> nn.Module:
    return DeepFM(options, inputs)
