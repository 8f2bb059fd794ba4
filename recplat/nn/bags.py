"""Takes the concatenated lookups apart: embeddings, first-order weights, padding.

The lookups of all features come as one tensor `pooled_BE`; `BagShape` says which columns are what. All plain numbers
are worked out when the model is built, so that a forward pass is a view or one copy, never a loop with its own kernels
for each feature. Taking columns out with `split` matters: its backward pass is one concatenation, whereas each slice
would fill a gradient as large as all lookups.

Axes: B rows of the batch, E columns of the lookups, F bags, K columns of an embedding, N columns of all embeddings.
"""

from torch import Tensor, cat, nn

from recplat.lang.shapes import BagShape, ModelInputs


class StackedBags(nn.Module):
    """The embeddings as `[B, F, K]`; every bag has the same dim."""

    def __init__(self, inputs: ModelInputs, *, linear: bool = False) -> None:
        """`linear`: bags carry first-order weights, see `Model.has_linear_terms`.

        Raises:
            ValueError: no bags, or bags of different dims.
        """
        super().__init__()
        dims = {bag.dim for bag in inputs.bags}
        if len(dims) != 1:
            raise ValueError(f"bags can be stacked when they have one dim; these have {sorted(dims) or 'no bags'}")
        self.num_bags = len(inputs.bags)
        self.dim = dims.pop()
        self.uniform = _uniform_sizes(inputs.bags, linear)
        self.flat = FlatBags(inputs, linear=linear)

    def forward(self, pooled_BE: Tensor) -> tuple[Tensor, Tensor | None]:
        """Embeddings `[B, F, K]` and first-order weights `[B, F]`, None without linear terms."""
        if self.uniform is None:
            flat_BN, first_order_BF = self.flat(pooled_BE)
            return flat_BN.view(flat_BN.shape[0], self.num_bags, self.dim), first_order_BF
        return _split_uniform(pooled_BE, self.num_bags, self.uniform)


class FlatBags(nn.Module):
    """The embeddings side by side as `[B, N]`; dims may differ."""

    def __init__(self, inputs: ModelInputs, *, linear: bool = False) -> None:
        super().__init__()
        self.linear = linear
        self.num_bags = len(inputs.bags)
        self.uniform = _uniform_sizes(inputs.bags, linear)
        self.sizes, self.embeddings, self.first_orders = _pieces(inputs.bags, linear)
        self.is_whole = self.embeddings == tuple(range(len(self.sizes)))

    def forward(self, pooled_BE: Tensor) -> tuple[Tensor, Tensor | None]:
        """Embeddings `[B, N]` and first-order weights `[B, F]`, None without linear terms."""
        if self.is_whole:
            return pooled_BE, None
        if self.uniform is not None:
            embeddings_BFK, first_order_BF = _split_uniform(pooled_BE, self.num_bags, self.uniform)
            return embeddings_BFK.flatten(1), first_order_BF
        pieces = pooled_BE.split_with_sizes(self.sizes, dim=1)
        first_order_BF = cat([pieces[at] for at in self.first_orders], dim=1) if self.linear else None
        return cat([pieces[at] for at in self.embeddings], dim=1), first_order_BF


def _split_uniform(pooled_BE: Tensor, num_bags: int, sizes: tuple[int, ...]) -> tuple[Tensor, Tensor | None]:
    bags_BFS = pooled_BE.view(pooled_BE.shape[0], num_bags, sum(sizes))
    _, linear, padding = sizes
    if not linear and not padding:
        return bags_BFS, None
    pieces = bags_BFS.split_with_sizes([size for size in sizes if size], dim=2)
    return pieces[0], pieces[1].squeeze(2) if linear else None


def _uniform_sizes(bags: tuple[BagShape, ...], linear: bool) -> tuple[int, int, int] | None:
    """Columns of (embedding, first-order weight, padding) where all bags have the same and lie in order."""
    if len({(bag.dim, bag.storage_dim) for bag in bags}) != 1:
        return None
    dim, storage_dim = bags[0].dim, bags[0].storage_dim
    if [bag.offset for bag in bags] != [storage_dim * place for place in range(len(bags))]:
        return None
    return dim, int(linear), storage_dim - dim - int(linear)


def _pieces(bags: tuple[BagShape, ...], linear: bool) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
    """Widths that cut the columns into pieces; for each bag the place of its embedding and of its linear term."""
    sizes: list[int] = []
    embeddings: dict[str, int] = {}
    first_orders: dict[str, int] = {}
    end = 0
    for bag in sorted(bags, key=lambda bag: bag.offset):
        assert bag.offset == end, f"bag {bag.name} starts at column {bag.offset}, the one before it ends at {end}"
        end = bag.offset + bag.storage_dim
        embeddings[bag.name] = len(sizes)
        sizes.append(bag.dim)
        if linear:
            first_orders[bag.name] = len(sizes)
            sizes.append(1)
        if padding := bag.storage_dim - bag.dim - int(linear):
            sizes.append(padding)
    order = [bag.name for bag in bags]
    return sizes, tuple(embeddings[name] for name in order), tuple(first_orders[name] for name in order if linear)
