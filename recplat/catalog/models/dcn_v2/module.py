"""Axes: B rows of the batch, D dense features, E columns of the lookups, N inputs of the cross layers."""

from torch import Tensor, cat, nn

from recplat.catalog.models.dcn_v2.options import Options
from recplat.lang.shapes import ModelInputs
from recplat.nn import MLP, CrossNetwork, FlatBags


class DCNv2(nn.Module):
    def __init__(self, options: Options, inputs: ModelInputs) -> None:
        super().__init__()
        self.bags = FlatBags(inputs)
        self.cross = CrossNetwork(inputs.width, options.num_cross_layers, low_rank=options.low_rank)
        # Two small products are added instead of one over both outputs side by side: the same sum without a copy.
        self.cross_head = nn.Linear(inputs.width, 1, bias=False) if options.has_two_heads else None
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
        embeddings_BN, _ = self.bags(pooled_BE)
        inputs_BN = cat([dense_BD, embeddings_BN], dim=1)
        crossed_BN = self.cross(inputs_BN)
        if self.cross_head is None:
            logits_B: Tensor = self.deep(crossed_BN).squeeze(1)
        else:
            logits_B = (self.cross_head(crossed_BN) + self.deep(inputs_BN)).squeeze(1)
        return logits_B


def build(options: Options, inputs: ModelInputs) -> nn.Module:
    return DCNv2(options, inputs)
