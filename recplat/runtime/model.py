"""What one rank trains: lookups, then the dense part and the loss.

B: rows of this rank; P >= B: rows with padding; E: columns of all lookups; D: dense features; M: mean-pooled bags.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torchrec.modules.embedding_modules import EmbeddingBagCollection

from recplat.catalog.toggles.compile.impl import compile_dense
from recplat.catalog.toggles.grad_accumulation.impl import accumulate
from recplat.catalog.toggles.precision.impl import LossScale, products
from recplat.plan.types import Plan
from recplat.runtime.batch import Batch
from recplat.runtime.seeds import seed_draws, seed_of


class RankModel(nn.Module):
    """`forward(batch)` gives a loss and a result, as TorchRec's pipelines want it, and can be traced by them."""

    def __init__(self, embeddings: EmbeddingBagCollection | None, head: "Head") -> None:
        """`embeddings`: None for a job without tables."""
        super().__init__()
        self.embeddings = embeddings
        self.head = head

    def forward(self, batch: Batch) -> tuple[Tensor, "Trained"]:
        result: tuple[Tensor, Trained] = self.head(batch, self._look_up(batch))
        return result

    def score(self, batch: Batch) -> Tensor:
        """Logits of this rank's rows in fp32, [B]."""
        head: Head = self.head
        logits_B: Tensor = head.dense(batch.dense_BD, head.pool(batch, self._look_up(batch)))
        return logits_B

    def _look_up(self, batch: Batch) -> Any:
        """TorchRec's KeyedTensor of sums."""
        return None if self.embeddings is None else self.embeddings(batch.ids)


class Head(nn.Module):
    """Everything after the lookups. `dense` takes `dense_BD` and `pooled_BE` and gives one logit a row."""

    def __init__(self, dense: nn.Module, plan: Plan, rank: int, loss_scale: LossScale | None = None) -> None:
        super().__init__()
        self.dense = dense
        self.pool = Pool(plan)
        self.seed = plan.job.spec.train.seed
        self.rank = rank
        self.num_ranks = plan.device.num_ranks
        self.loss_scale = loss_scale
        self.products = products(plan.toggle("precision").settings["dtype"], plan.device.type)
        self.num_pieces: int = plan.toggle("grad_accumulation").settings["steps"]
        self.compiled: Any = None
        self.compiled_rows = -1  # only batches of the usual size are run compiled: others would compile anew
        if plan.toggle("compile").active:
            self.compiled = compile_dense(dense, plan.toggle("compile").settings)
            self.compiled_rows = plan.job.spec.train.batch_size // self.num_ranks // self.num_pieces

    def forward(self, batch: Batch, pooled: Any) -> tuple[Tensor, "Trained"]:
        """The loss to run backward from, and what is worth knowing of it.

        The loss is larger by the number of ranks, because TorchRec's exchanges and ours average gradients.
        """
        # Dropout draws by position, not by history, so that a resumed run draws the same.
        seed_draws(batch.dense_BD.device, seed_of(self.seed, "step", batch.epoch, batch.index, self.rank))
        pooled_BE = self.pool(batch, pooled)
        scale = float(self.num_ranks)
        if self.loss_scale is not None:
            scale *= self.loss_scale.scale
            pooled_BE.register_hook(self.loss_scale.unscale_lookups)
        if self.num_pieces > 1:
            loss = accumulate(lambda rows, piece: self._loss(batch, rows, piece) * scale, pooled_BE, self.num_pieces)
        else:
            loss = self._loss(batch, slice(None), pooled_BE) * scale
        return loss, Trained(batch=batch, loss=loss.detach() / scale)

    def _loss(self, batch: Batch, rows: slice, pooled_BE: Tensor) -> Tensor:
        """Cross-entropy in nats, summed over these rows and divided by the weight of the whole global batch."""
        dense = self.compiled if pooled_BE.shape[0] == self.compiled_rows else self.dense
        with self.products():
            logits_B = dense(batch.dense_BD[rows], pooled_BE)
        weights_B = None if batch.weights_B is None else batch.weights_B[rows]
        total = F.binary_cross_entropy_with_logits(logits_B.float(), batch.labels_B[rows], weights_B, reduction="sum")
        # Weights may add up to 0; such a batch teaches nothing and its loss is 0.
        return total / (batch.total_weight if batch.total_weight > 0 else 1.0)


@dataclass(frozen=True, slots=True)
class Trained:
    """A batch that went through, and this rank's share of its mean loss."""

    batch: Batch
    loss: Tensor


class Pool(nn.Module):
    """Brings TorchRec's lookups into the plan's order, without the padding rows, and divides sums into means."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        lists = {feature.name for feature in plan.features if feature.is_list and feature.pooling == "mean"}
        self.names = [bag.name for bag in plan.model.inputs.bags]
        self.mean_of: dict[str, int] = {}
        for feature in plan.features:
            if feature.name in lists:
                self.mean_of[feature.name] = len(self.mean_of)

    def forward(self, batch: Batch, pooled: Any) -> Tensor:
        """`pooled`: TorchRec's KeyedTensor of sums, [P, E], None without tables. Gives [B, E]."""
        if pooled is None:
            return batch.dense_BD[:, :0]
        num_rows = batch.labels_B.shape[0]
        sums_BE: Tensor = pooled.values()
        if sums_BE.shape[0] != num_rows:
            sums_BE = sums_BE[:num_rows]
        keys = pooled.keys()
        if not self.mean_of and keys == self.names:
            return sums_BE
        pieces = dict(zip(keys, torch.split(sums_BE, pooled.length_per_key(), dim=1), strict=True))
        for name, place in self.mean_of.items():
            assert batch.counts_BM is not None
            pieces[name] = pieces[name] / batch.counts_BM[:, place : place + 1]
        return torch.cat([pieces[name] for name in self.names], dim=1)
