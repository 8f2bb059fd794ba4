"""What a catalog folder's `Options` class is asked, one interface for each kind of folder.

An options class is a frozen msgspec Struct that derives from one of these. The folder's name is the value of `type` in
the spec. `options.py` is pure; torch code lies beside it in `module.py` or `impl.py`, numpy code in `transform.py` or
`compute.py`, loaded only where it is run.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Struct

from recplat.lang.fields import doc
from recplat.lang.shapes import Device, ModelInputs, Workload
from recplat.lang.statistics import FeatureStatistics, TransformStatistics

Values = Literal["key", "number", "id"]
Mode = Literal["auto", "enabled", "disabled"]


class Fault(Struct, frozen=True, kw_only=True):
    """What an options class finds wrong in itself. `field` is relative to it; the spec layer adds file and line."""

    code: str
    field: str
    message: str
    help: str


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of the options of catalog folders whose place in the spec says `type`."""

    #: Keys that people try here and that would do nothing: name -> why and what to write instead.
    refused: ClassVar[Mapping[str, str]] = {}


class Kind:
    """Base of the interfaces below. A plain class, so that a field of that type accepts any folder's options."""

    kind: ClassVar[str]

    def faults(self) -> Iterator[Fault]:
        """What is wrong in these options alone, beyond what types and bounds say."""
        return iter(())


class Transform(Kind):
    """Turns values into numbers or ids. `takes` and `gives` decide which may follow which."""

    kind = "transforms"
    takes: ClassVar[tuple[Values, ...]]
    gives: ClassVar[Values | None]  # None: the same as it takes
    needs: ClassVar[Literal["moments", "vocabulary"] | None] = None
    #: Takes keys that are whole numbers only, so that a text column is read as such.
    integer_keys: ClassVar[bool] = False

    def num_rows(self, statistics: TransformStatistics | None) -> int | None:
        """Rows of a table that holds the ids this gives, the reserved two included; None while not known."""
        return None


class Feature(Kind):
    """One input of the model, computed from columns."""

    kind = "features"
    name: str
    #: dense: one column of `dense_BD`. bag: ids looked up in `table` and pooled.
    gives: ClassVar[Literal["dense", "bag"]]

    def columns(self) -> tuple[str, ...]:
        """Columns that are read."""
        raise NotImplementedError

    def transforms(self) -> tuple[Transform, ...]:
        raise NotImplementedError

    def table_name(self) -> str | None:
        """The table that is looked up; None for a dense feature."""
        return None

    def reads(self) -> Values:
        """What its columns' values are before the first transform: keys or numbers.

        Raises:
            ValueError: its transforms don't fit together (`faults` says how).
        """
        raise NotImplementedError

    def key_type(self) -> Literal["auto", "string", "int"]:
        """How keys are read; `auto`: text from CSV, the file's own type from Parquet."""
        return "auto"

    def is_list(self) -> bool:
        """Whether a row holds a list of values."""
        return False

    def pooling_type(self) -> Literal["sum", "mean"]:
        return "sum"

    def num_rows(self, statistics: FeatureStatistics | None) -> int | None:
        """Rows that its table must have; None while not known."""
        last = self.transforms()[-1]
        return last.num_rows(statistics.transforms[-1] if statistics else None)


class Model(Kind):
    """The dense part: from `dense_BD` and `pooled_BE` to one logit for each row."""

    kind = "models"
    #: The dim that every table must have, where the model leaves no choice.
    fixed_dim: ClassVar[int | None] = None

    def has_linear_terms(self) -> bool:
        """Whether each bag carries a first-order weight beside its embedding."""
        return False

    def has_batch_statistics(self) -> bool:
        """Whether a layer computes statistics over the rows of a batch, so that a batch can't be cut into pieces."""
        return bool(getattr(self, "batch_norm", False))

    def check_inputs(self, inputs: ModelInputs) -> Iterator[Fault]:
        """What these inputs lack for this model; `field` is relative to the model's options."""
        return iter(())

    def num_parameters(self, inputs: ModelInputs) -> int:
        raise NotImplementedError

    def flops(self, inputs: ModelInputs) -> int:
        """Floating point operations of one row's forward pass; a multiply-add counts two."""
        raise NotImplementedError


class Metric(Kind):
    """A figure over all rows of a part. `compute.py` holds `compute(options, predictions) -> float | None`."""

    kind = "metrics"
    #: True: higher is better. False: lower. None: neither, so it can't choose the best checkpoint.
    higher_is_better: ClassVar[bool | None]

    def metric_name(self) -> str:
        """The name in MLflow, gates and `best`."""
        raise NotImplementedError

    def group_column(self) -> str | None:
        """A column that rows are grouped by."""
        return None


class Schedule(Kind):
    """The learning rate's factor by step, the same for dense and embedding optimisers."""

    kind = "schedules"

    def factor(self, step: int, num_steps: int | None) -> float:
        """Factor of the base learning rate for step `step`, 0-based, of `num_steps`."""
        raise NotImplementedError


class DenseOptimizer(Kind):
    kind = "dense_optimizers"
    learning_rate: float

    def state_bytes(self, num_parameters: int) -> int:
        raise NotImplementedError


class EmbeddingOptimizer(Kind):
    kind = "embedding_optimizers"
    learning_rate: float

    def kernel(self, device: Device) -> Literal["fused", "dense"]:
        """fused: the update runs in the backward pass and touches looked-up rows only. dense: an ordinary optimiser."""
        raise NotImplementedError

    def kernel_reason(self, device: Device) -> str:
        """Why that kernel, in a few words, for the plan."""
        raise NotImplementedError

    def state_bytes(self, num_rows: int, storage_dim: int) -> int:
        """Bytes of optimiser state for so many rows."""
        raise NotImplementedError


class Initializer(Kind):
    kind = "initializers"


class Shard(Struct, frozen=True, kw_only=True):
    """A rectangle of a table on one rank: rows `row_offset : row_offset + num_rows`, columns likewise."""

    rank: int
    row_offset: int
    num_rows: int
    column_offset: int
    num_columns: int


class ShardingType(Kind):
    """A way to lay a table over ranks; `type` in `sharding.tables.NAME` and TorchRec's name for it."""

    kind = "sharding"

    def shards(self, *, num_rows: int, num_columns: int, num_ranks: int, rank: int) -> tuple[Shard, ...]:
        """The shards of one table. `rank`: where a table that stays whole goes."""
        raise NotImplementedError

    def kernels(self) -> tuple[str, ...]:
        """Compute kernels it can be used with."""
        return ("fused", "dense")


class Decision(Struct, frozen=True, kw_only=True):
    """What a toggle does in this run."""

    active: bool
    reason: str
    settings: dict[str, Any]


class Toggle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the options of `optimizations.NAME`: `auto`, `true`, `false`, or an object with `mode` and options."""

    mode: Annotated[
        Mode, doc("`auto`: what pays on the device at hand. `enabled`: on, a fault where it can't be. `disabled`: off.")
    ] = "auto"

    #: The option that a bare value stands for, as in `precision: bf16`.
    shorthand: ClassVar[str | None] = None

    def decide(self, device: Device, workload: Workload) -> Decision:
        """What happens on that device.

        `mode` enabled where the device can't do it is a fault of the spec: `unavailable` says so before.
        """
        raise NotImplementedError

    def unavailable(self, device: Device, workload: Workload) -> str | None:
        """Why it can't act there at all, or None."""
        return None

    def faults(self) -> Iterator[Fault]:
        return iter(())
