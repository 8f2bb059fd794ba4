"""Reads the tensors of a checkpoint, whatever ranks and shards wrote it."""

import warnings
from pathlib import Path

import torch
from torch.distributed.checkpoint import FileSystemReader, load


def read_checkpoint(folder: Path) -> dict[str, torch.Tensor]:
    """All tensors by name, whole."""
    metadata = FileSystemReader(folder).read_metadata().state_dict_metadata
    tensors = {name: torch.empty(about.size, dtype=about.properties.dtype) for name, about in metadata.items()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="torch.distributed is disabled")  # so it is, and it needn't be on
        load(tensors, checkpoint_id=folder, no_dist=True)
    return tensors


def last_checkpoint(run: Path) -> Path:
    return max((run / "checkpoints").glob("step-*"))
