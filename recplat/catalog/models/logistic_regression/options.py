"""`model: {type: logistic_regression}`."""

from collections.abc import Mapping
from typing import ClassVar

from recplat.lang import kinds
from recplat.lang.layers import NOT_OF_A_MODEL
from recplat.lang.shapes import ModelInputs


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="logistic_regression"):
    """Logistic regression: one weight for each id and each dense feature, and a bias.

    Its tables have `dim` 1: an embedding is the id's weight. The yardstick that every other model must beat.
    """

    fixed_dim: ClassVar[int | None] = 1
    refused: ClassVar[Mapping[str, str]] = NOT_OF_A_MODEL

    def num_parameters(self, inputs: ModelInputs) -> int:
        return inputs.num_dense + 1

    def flops(self, inputs: ModelInputs) -> int:
        return 2 * inputs.num_dense + len(inputs.bags)
