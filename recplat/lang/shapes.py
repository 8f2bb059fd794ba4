"""Shapes that a model, a table and a device have; what catalog functions are told."""

from typing import Literal

from msgspec import Struct


class BagShape(Struct, frozen=True, kw_only=True):
    """One pooled feature inside the concatenated lookups `pooled_BE`.

    Columns `offset : offset + dim` are the embedding; where the model has linear terms, column `offset + dim` is the
    feature's first-order weight; the rest up to `storage_dim` is padding that keeps rows a multiple of 16 bytes.
    """

    name: str
    table: str
    offset: int
    dim: int
    storage_dim: int


class ModelInputs(Struct, frozen=True, kw_only=True):
    """What a model is given: `dense_BD` with one column per numeric feature, and the bags of `pooled_BE`."""

    dense: tuple[str, ...]
    bags: tuple[BagShape, ...]

    @property
    def num_dense(self) -> int:
        return len(self.dense)

    @property
    def width(self) -> int:
        """Columns of dense features and embeddings together, padding and first-order weights left out."""
        return len(self.dense) + sum(bag.dim for bag in self.bags)


class Device(Struct, frozen=True, kw_only=True):
    """What the plan knows of the device a rank runs on; found without torch."""

    type: Literal["cpu", "cuda"]
    num_ranks: int
    cpus_per_rank: int
    has_native_bf16: bool
    capability: tuple[int, int] | None = None  # CUDA compute capability where it is known
    has_compiler: bool = True  # a C++ compiler, without which `torch.compile` fails at the first step


class Workload(Struct, frozen=True, kw_only=True):
    """How much work a run is, for toggles that pay only on long ones. `None`: not known before the statistics lock."""

    batch_size: int  # global
    num_steps: int | None
    flops_per_sample: int
    embedding_kernels: tuple[str, ...]
    model_type: str
