"""`model: {type: toy, query_features: [user_id, gender]}`: what a spec may say of this model, and what it costs.

Planning imports this file and no torch: import nothing here but recplat.lang, msgspec and the standard library.
"""

from collections.abc import Iterator
from typing import Annotated

from recplat.lang import kinds
from recplat.lang.fields import Name, doc
from recplat.lang.shapes import BagShape, ModelInputs


class Options(kinds.Options, kinds.Model, frozen=True, kw_only=True, tag="toy"):  # tag: the name of the folder
    """Two towers: one vector for the query, one for the item; the logit is their dot product and a bias.

    Each tower is one linear layer over its features' embeddings. Dense features belong to the query.
    """

    # Every field has a type, a description and, where the spec may leave it out, a default.
    query_features: Annotated[
        tuple[Name, ...], doc("Features of the query's tower; all others are the item's.", ["user_id"], min_length=1)
    ]
    width: Annotated[int, doc("Width of the two vectors.", 32, ge=1, le=4096)] = 16

    def check_inputs(self, inputs: ModelInputs) -> Iterator[kinds.Fault]:
        """Faults that take the features to see. Each is shown at its field, with file and line."""
        known = [bag.name for bag in inputs.bags]
        for place, name in enumerate(self.query_features):
            if name not in known:
                yield kinds.Fault(
                    code="toy-unknown-feature",
                    field=f"query_features.{place}",
                    message=f"`{name}` is no feature with a table",
                    help=f"such features are {', '.join(known)}",
                )
        if not self.item_bags(inputs):
            yield kinds.Fault(
                code="toy-empty-tower",
                field="query_features",
                message="the query has all features, so the item's tower has none",
                help="leave the item's features out here",
            )

    def query_bags(self, inputs: ModelInputs) -> list[BagShape]:
        return [bag for bag in inputs.bags if bag.name in self.query_features]

    def item_bags(self, inputs: ModelInputs) -> list[BagShape]:
        return [bag for bag in inputs.bags if bag.name not in self.query_features]

    def num_parameters(self, inputs: ModelInputs) -> int:
        """Exactly those of the module: the plan works out memory from it."""
        return (inputs.width + 2) * self.width + 1  # two weights and biases, and the logit's bias

    def flops(self, inputs: ModelInputs) -> int:
        """Of one row's forward pass; a multiply-add counts two."""
        return 2 * inputs.width * self.width + 2 * self.width
