"""The plan: everything a run will do, decided before it starts. Frozen, without timestamps, hashed."""

from typing import Any, Literal

from msgspec import Struct

from recplat.lang.kinds import Shard
from recplat.lang.shapes import Device, ModelInputs
from recplat.spec.types import TrainingJob

PLAN_FORMAT = 1


class FeaturePlan(Struct, frozen=True, kw_only=True):
    """One feature: where its values come from and where they go."""

    name: str
    type: str
    gives: Literal["dense", "bag"]
    columns: tuple[str, ...]
    transforms: tuple[str, ...]  # their types, in order
    table: str | None
    pooling: Literal["sum", "mean"] | None  # None: dense
    is_list: bool
    max_length: int  # longest list seen in training rows; 1 for scalars
    mean_length: float


class TablePlan(Struct, frozen=True, kw_only=True):
    """One table and where its rows lie."""

    name: str
    features: tuple[str, ...]  # in the order of the spec: TorchRec's `feature_names`
    num_rows: int | None  # None: not known before the statistics lock; such a plan can't be run
    rows_source: str  # where the number comes from, for people: "vocabulary", "hash of item_id", "spec"
    dim: int
    storage_dim: int  # dim, the linear term, and padding to a multiple of 4
    dtype: Literal["fp32", "fp16"]
    optimizer: str  # folder name of the embedding optimiser
    learning_rate: float
    kernel: Literal["fused", "dense"]
    kernel_reason: str
    sharding: str  # folder name of the sharding type, TorchRec's own name
    shards: tuple[Shard, ...]
    weight_bytes: int
    state_bytes: int


class RankMemory(Struct, frozen=True, kw_only=True):
    """Bytes on one rank by cause; HBM with CUDA, host memory on the CPU."""

    rank: int
    weights: int
    optimizer_state: int
    dense_parameters: int  # weights, gradients and optimiser state of the dense part
    activations: int
    inputs: int

    @property
    def total(self) -> int:
        return self.weights + self.optimizer_state + self.dense_parameters + self.activations + self.inputs


class TogglePlan(Struct, frozen=True, kw_only=True):
    name: str
    mode: Literal["auto", "enabled", "disabled"]
    active: bool
    reason: str
    settings: dict[str, Any]  # what the runtime does: the toggle folder says which keys there are


class DataPlan(Struct, frozen=True, kw_only=True):
    """Rows by part and steps; None while there is no statistics lock."""

    num_train_rows: int | None
    num_eval_rows: int | None
    num_test_rows: int | None
    steps_per_epoch: int | None
    num_steps: int | None


class ModelPlan(Struct, frozen=True, kw_only=True):
    type: str
    inputs: ModelInputs
    num_parameters: int
    flops_per_sample: int


class Plan(Struct, frozen=True, kw_only=True):
    """What `recplat plan` prints and what every rank is told. `job` is the normal form it was compiled from."""

    format: int
    digest: str  # SHA-256 over all the rest
    spec_digest: str
    statistics_digest: str | None
    catalog_digest: str | None
    job: TrainingJob
    device: Device
    data: DataPlan
    features: tuple[FeaturePlan, ...]
    tables: tuple[TablePlan, ...]
    model: ModelPlan
    toggles: tuple[TogglePlan, ...]
    memory: tuple[RankMemory, ...]

    def toggle(self, name: str) -> TogglePlan:
        return next(toggle for toggle in self.toggles if toggle.name == name)
