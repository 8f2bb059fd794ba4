"""What models say of their dense layers: the types of the options they share, parameter and FLOP counts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from recplat.lang.fields import doc
from recplat.lang.kinds import Fault
from recplat.lang.shapes import ModelInputs

ActivationName = Literal["relu", "leaky_relu", "gelu", "silu", "tanh"]

Units = tuple[Annotated[int, Meta(ge=1, le=65_536)], ...]
Activation = Annotated[ActivationName, doc("Function after each hidden layer.", "relu")]
Dropout = Annotated[
    float, doc("Fraction of each hidden layer's units that training drops at random.", 0.1, ge=0.0, lt=1.0)
]
BatchNorm = Annotated[
    bool, doc("Batch normalisation before each activation; its statistics are those of a rank's own rows.")
]

#: `Options.refused` of the models here: keys of other libraries, and where their meaning lives.
NOT_OF_A_MODEL: Mapping[str, str] = {
    "embedding_dim": "an embedding's width belongs to its table: write `dim` at the feature or at the table",
    "dim": "an embedding's width belongs to its table: write `dim` at the feature or at the table",
    "learning_rate": "the learning rate belongs to the optimiser: write `train.dense_optimizer.learning_rate`",
    "optimizer": "the optimiser belongs to `train`: write `train.dense_optimizer`",
    "loss": "the loss is binary cross-entropy with every model; leave it out",
    "dnn_hidden_units": "the name here is `hidden_units`",
    "hidden_dims": "the name here is `hidden_units`",
    "net_dropout": "the name here is `dropout`",
}


def mlp_parameters(num_inputs: int, units: Sequence[int], *, num_outputs: int | None, batch_norm: bool = False) -> int:
    """Parameters of an MLP: weights, biases and, with `batch_norm`, two for each hidden unit.

    Args:
        num_outputs: width of the linear layer after the hidden ones; None: the last hidden layer is the output.
    """
    normalised = 2 * sum(units) if batch_norm else 0
    return normalised + sum((before + 1) * after for before, after in _layers(num_inputs, units, num_outputs))


def mlp_flops(num_inputs: int, units: Sequence[int], *, num_outputs: int | None) -> int:
    """Floating point operations of one row's matrix products in an MLP; a multiply-add counts two."""
    return sum(2 * before * after for before, after in _layers(num_inputs, units, num_outputs))


def check_equal_dims(model: str, inputs: ModelInputs) -> Iterator[Fault]:
    """A fault where the bags of a model that multiplies embeddings with each other differ in dim."""
    by_dim: dict[int, str] = {}
    for bag in inputs.bags:
        by_dim.setdefault(bag.dim, bag.name)
    if len(by_dim) > 1:
        dims = ", ".join(f"`{name}` has {dim}" for dim, name in sorted(by_dim.items()))
        yield Fault(
            code="model-needs-equal-dims",
            field="type",
            message=f"`{model}` needs embeddings of one dim: {dims}",
            help="give all features the same `dim`, or use `dcn_v2` or `wide_deep`, which take any",
        )


def _layers(num_inputs: int, units: Sequence[int], num_outputs: int | None) -> list[tuple[int, int]]:
    widths = [num_inputs, *units, *(() if num_outputs is None else (num_outputs,))]
    return list(pairwise(widths))
