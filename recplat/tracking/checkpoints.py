"""Checkpoints of a run on disk: which are complete, and what their manifests say. Reading one needs no torch.

checkpoints/step-00000120/
    .metadata, __0_0.distcp, …   torch.distributed.checkpoint: weights, optimiser state
    manifest.json                written last: with it, and all files as long as it says, the checkpoint is complete
"""

from pathlib import Path

import msgspec
from msgspec import Struct

MANIFEST = "manifest.json"
CHECKPOINT_FORMAT = 1


class Best(Struct, frozen=True, kw_only=True):
    """The best evaluation so far, by `evaluate.best`."""

    step: int
    value: float
    metrics: dict[str, float | None]


class TrainState(Struct, frozen=True, kw_only=True):
    """Where training stands. A position is valid at any number of ranks."""

    step: int = 0  # steps done
    epoch: int = 0
    batch: int = 0  # the next global batch of that epoch
    num_rows: int = 0  # trained on since the start, over all ranks
    evaluated_step: int | None = None
    evaluations_without_better: int = 0
    best: Best | None = None
    loss_scale: tuple[float, int] | None = None  # fp16: the scale, and steps since it last changed

    @property
    def last_epoch(self) -> int:
        """The epoch that the last step belonged to."""
        return self.epoch if self.batch else max(self.epoch - 1, 0)


class Manifest(Struct, frozen=True, kw_only=True):
    """`manifest.json`. No random state is in it: what a step draws depends on the seed and its position alone."""

    format: int
    run_id: str
    plan_digest: str
    statistics_digest: str | None
    world_size: int
    dense_optimizer: str
    table_optimizers: dict[str, str]
    state: TrainState
    files: dict[str, int]  # name -> bytes


def checkpoint_name(step: int) -> str:
    return f"step-{step:08d}"


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a complete checkpoint; None where it is missing, cut off, or a file is missing or short."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (FileNotFoundError, NotADirectoryError, msgspec.MsgspecError):
        return None
    for name, size in manifest.files.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != size:
            return None
    return manifest


def complete_checkpoints(checkpoints: Path) -> list[Path]:
    """Folders of the complete checkpoints of a run, oldest first."""
    return [folder for folder in _folders(checkpoints) if read_manifest(folder) is not None]


def partial_checkpoints(checkpoints: Path) -> list[Path]:
    """Folders of checkpoints whose writing was cut off, or that were damaged later."""
    return [folder for folder in _folders(checkpoints) if read_manifest(folder) is None]


def latest_checkpoint(checkpoints: Path) -> Path | None:
    """The newest complete checkpoint of a run."""
    return next(reversed(complete_checkpoints(checkpoints)), None)


def _folders(checkpoints: Path) -> list[Path]:
    return sorted(folder for folder in checkpoints.glob("step-*") if folder.is_dir())
