"""Axes: B rows of the batch, D dense features, E columns of the lookups."""

from torch import Tensor, nn

from recplat.catalog.models.logistic_regression.options import Options
from recplat.lang.shapes import ModelInputs
from recplat.nn import FlatBags, LinearTerms


class LogisticRegression(nn.Module):
    def __init__(self, inputs: ModelInputs) -> None:
        super().__init__()
        self.bags = FlatBags(inputs)
        self.linear = LinearTerms(inputs.num_dense)

    def forward(self, dense_BD: Tensor, pooled_BE: Tensor) -> Tensor:
        """Logits, `[B]`."""
        weights_BF, _ = self.bags(pooled_BE)
        logits_B: Tensor = self.linear(dense_BD, weights_BF)
        return logits_B


def build(options: Options, inputs: ModelInputs) -> nn.Module:
    return LogisticRegression(inputs)
