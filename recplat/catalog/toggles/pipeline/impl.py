"""Ways to take steps: one after the other, or with the next batch's ids already under way."""

from collections.abc import Iterator
from typing import Any

import torch


class PlainSteps:
    """Each batch from start to end."""

    def __init__(self, model: torch.nn.Module, optimizer: Any, device: torch.device) -> None:
        self.model = model
        self.optimizer = optimizer
        self.device = device

    def take(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Trains on each batch and yields the second of what the model gives for it."""
        for batch in batches:
            self.optimizer.zero_grad()
            loss, result = self.model(batch.to(self.device, non_blocking=True))
            loss.backward()
            self.optimizer.step()
            yield result

    def pause(self) -> None:
        """Make the model usable outside `take`."""


class SparseDistSteps(PlainSteps):
    """TorchRec's TrainPipelineSparseDist: ids of the next batch travel while this one is computed."""

    def __init__(self, model: torch.nn.Module, optimizer: Any, device: torch.device) -> None:
        from torchrec.distributed.train_pipeline import TrainPipelineSparseDist

        super().__init__(model, optimizer, device)
        self.pipeline: Any = TrainPipelineSparseDist(model, optimizer, device, execute_all_batches=True)

    def take(self, batches: Iterator[Any]) -> Iterator[Any]:
        while True:
            try:
                result = self.pipeline.progress(batches)
            except StopIteration:
                return
            yield result

    def pause(self) -> None:
        self.pipeline.detach()


def make_steps(type_: str, model: torch.nn.Module, optimizer: Any, device: torch.device) -> PlainSteps:
    return (SparseDistSteps if type_ == "sparse_dist" else PlainSteps)(model, optimizer, device)
