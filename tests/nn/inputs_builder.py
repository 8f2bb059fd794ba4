from recplat.lang.shapes import BagShape, ModelInputs


def model_inputs(num_dense: int, dims: list[int], *, linear: bool = False) -> ModelInputs:
    """Dense features `d0`, … and bags `b0`, … that lie one after the other, padded to a multiple of 4 columns."""
    bags = []
    offset = 0
    for place, dim in enumerate(dims):
        storage_dim = -(-(dim + linear) // 4) * 4
        bags.append(BagShape(name=f"b{place}", table=f"t{place}", offset=offset, dim=dim, storage_dim=storage_dim))
        offset += storage_dim
    return ModelInputs(dense=tuple(f"d{place}" for place in range(num_dense)), bags=tuple(bags))


def pooled_width(inputs: ModelInputs) -> int:
    return sum(bag.storage_dim for bag in inputs.bags)
