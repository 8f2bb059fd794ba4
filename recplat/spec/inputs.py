"""What the model of a spec is given: which columns `dense_BD` and `pooled_BE` have."""

from recplat.lang.shapes import BagShape, ModelInputs
from recplat.spec.types import Spec

#: Rows of a table are a multiple of 4 columns (16 bytes in fp32): FBGEMM's CUDA kernels demand it.
COLUMN_MULTIPLE = 4


def storage_dim(dim: int, has_linear_terms: bool) -> int:
    """Columns of a table that holds embeddings of that dim, and a first-order weight where the model has one."""
    columns = dim + int(has_linear_terms)
    return -(-columns // COLUMN_MULTIPLE) * COLUMN_MULTIPLE


def model_inputs(spec: Spec) -> ModelInputs:
    """Features in the order of the spec; bags lie side by side in `pooled_BE`."""
    dims = {table.name: table.dim for table in spec.tables}
    linear = spec.model.has_linear_terms()
    bags: list[BagShape] = []
    offset = 0
    for feature in spec.features:
        table = feature.table_name()
        if table is None:
            continue
        columns = storage_dim(dims[table], linear)
        bags.append(BagShape(name=feature.name, table=table, offset=offset, dim=dims[table], storage_dim=columns))
        offset += columns
    return ModelInputs(dense=tuple(f.name for f in spec.features if f.gives == "dense"), bags=tuple(bags))
