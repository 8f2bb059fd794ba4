"""What ranks tell the launcher: one JSON object a line, in `events/rank-<r>.jsonl` of the run's folder.

The runtime writes them, the launcher reads them, turns them into progress on the screen and into MLflow.
Every event has `type` and `time` (seconds since the epoch, UTC).
"""

from typing import Any

from msgspec import Struct


class Event(Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    time: float


class Ready(Event, frozen=True, kw_only=True):
    """The rank has imported its libraries and waits for the plan, or has built its model."""

    rank: int
    phase: str  # "imported", "built"
    seconds: float


class Step(Event, frozen=True, kw_only=True):
    """Progress of training, at most a few times a second; written by rank 0, figures over all ranks."""

    step: int  # steps done since the start of training, resumed ones counted
    epoch: int  # 0-based
    loss: float  # mean over the rows since the last event
    num_rows: int  # rows trained on since the run started or resumed, over all ranks
    rows_per_second: float  # over the steps since the last event
    loader_wait_fraction: float  # of the time since the last event
    dense_learning_rate: float
    embedding_learning_rate: float
    memory_bytes: int  # resident memory of rank 0; with CUDA the allocator's peak


class Evaluated(Event, frozen=True, kw_only=True):
    """Metrics of a part; None where one is undefined (AUC of a single class)."""

    step: int
    epoch: int
    part: str  # "eval" or "test"
    num_rows: int
    seconds: float
    metrics: dict[str, float | None]
    is_best: bool = False


class Curves(Event, frozen=True, kw_only=True):
    """Points for plots of a part: each curve is a list of [x, y], at most 200 points."""

    step: int
    part: str
    curves: dict[str, list[tuple[float, float]]]  # "roc", "calibration"


class Checkpointed(Event, frozen=True, kw_only=True):
    step: int
    path: str
    seconds: float
    is_best: bool


class Noted(Event, frozen=True, kw_only=True):
    """Something a person should read: ids out of range, an undefined metric. `code` groups the same kind."""

    rank: int
    code: str
    message: str


class Failed(Event, frozen=True, kw_only=True):
    """A rank's own failure: the first by time is the cause. `help` is set where the rank knows the remedy."""

    rank: int
    step: int | None
    error: str  # "ValueError: …"; the message alone where the rank knows the remedy
    traceback: str
    help: str | None = None


class Finished(Event, frozen=True, kw_only=True):
    """The result, the same at every world size; rank 0 writes it last."""

    step: int
    epoch: int
    reason: str  # "epochs", "max_steps", "early_stop", "stopped"
    num_rows: int
    train_seconds: float  # the training loop alone, evaluation and checkpoints left out
    rows_per_second: float
    loader_wait_fraction: float
    best_step: int | None
    metrics: dict[str, dict[str, float | None]]  # part -> metric -> value, of the best checkpoint
    versions: dict[str, str]
    extra: dict[str, Any] = {}


AnyEvent = Ready | Step | Evaluated | Curves | Checkpointed | Noted | Failed | Finished
