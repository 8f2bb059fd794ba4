"""All that a step changes: the dense part, tables with a dense kernel, and the rates of those with a fused one."""

from typing import Any

import torch
import torch.distributed as dist

from recplat.catalog import Catalog
from recplat.catalog.toggles.precision.impl import LossScale
from recplat.plan.types import Plan
from recplat.runtime.build import table_optimizer
from recplat.runtime.ranks import Ranks
from recplat.runtime.tables import LocalTable, attach_gradients, clear_gradients
from recplat.tracking.checkpoints import TrainState


class Optimizers:
    """`zero_grad` before the forward pass, `step` after the backward pass, as TorchRec's pipelines call them.

    Fused tables are updated in between, inside the backward pass, with the rate that `zero_grad` set.
    """

    def __init__(
        self,
        dense: torch.nn.Module,
        tables: list[LocalTable],
        plan: Plan,
        catalog: Catalog,
        ranks: Ranks,
        loss_scale: LossScale | None,
    ) -> None:
        train = plan.job.spec.train
        self.num_steps_done = 0
        self.schedule = train.schedule
        self.num_steps = plan.data.num_steps
        self.clip_grad_norm = train.clip_grad_norm
        self.ranks = ranks
        self.loss_scale = loss_scale
        self.tables = tables
        self.parameters = [parameter for parameter in dense.parameters() if parameter.requires_grad]
        self.dense = catalog.implementation(train.dense_optimizer, "impl").build(train.dense_optimizer, self.parameters)
        self.base_rates = (train.dense_optimizer.learning_rate, train.embedding_optimizer.learning_rate)
        self.of_tables: dict[str, torch.optim.Optimizer] = {}
        for table in tables:
            if table.parameter is not None:
                options = table_optimizer(plan, table.plan)
                build = catalog.implementation(options, "impl").build
                self.of_tables[table.plan.name] = build(options, [table.parameter])
        self.flat = self._flatten() if ranks.world_size > 1 else None
        self.factor: float | None = None

    @property
    def learning_rates(self) -> tuple[float, float]:
        """Of the dense part and of tables without a rate of their own, in the last step."""
        factor = 1.0 if self.factor is None else self.factor
        return self.base_rates[0] * factor, self.base_rates[1] * factor

    def resume(self, state: TrainState) -> None:
        """Go on after `state.step` steps; the optimisers' own state is loaded by `checkpoint.py`."""
        self.num_steps_done = state.step
        if self.loss_scale is not None and state.loss_scale is not None:
            self.loss_scale.scale, self.loss_scale.good_steps = state.loss_scale

    def zero_grad(self) -> None:
        self._set_factor(self.schedule.factor(self.num_steps_done, self.num_steps))
        if self.flat is None:
            self.dense.zero_grad(set_to_none=True)
        else:
            self.flat.zero_()
        clear_gradients(self.tables)

    def step(self) -> None:
        self.num_steps_done += 1
        if self.flat is not None:
            dist.all_reduce(self.flat, group=self.ranks.group)
            self.flat /= self.ranks.world_size
        if self.loss_scale is None or self._unscale(self.loss_scale):
            if self.clip_grad_norm is not None:
                torch.nn.utils.clip_grad_norm_(self.parameters, self.clip_grad_norm)
            self.dense.step()
        attach_gradients(self.tables)
        for optimizer in self.of_tables.values():
            optimizer.step()

    def _set_factor(self, factor: float) -> None:
        if factor == self.factor:
            return
        self.factor = factor
        _set_rate(self.dense, self.base_rates[0] * factor)
        for table in self.tables:
            rate = table.plan.learning_rate * factor
            if table.is_fused:
                table.module.set_learning_rate(rate)
            else:
                _set_rate(self.of_tables[table.plan.name], rate)

    def _flatten(self) -> torch.Tensor:
        """Make all dense gradients views of one tensor, so that one exchange sums them."""
        flat = torch.zeros(sum(parameter.numel() for parameter in self.parameters), device=self.ranks.device)
        offset = 0
        for parameter in self.parameters:
            parameter.grad = flat[offset : offset + parameter.numel()].view_as(parameter)
            offset += parameter.numel()
        return flat

    def _unscale(self, loss_scale: LossScale) -> bool:
        """Divide the dense gradients by the loss scale; whether they were finite, which all ranks agree on."""
        grads: list[Any] = [parameter.grad for parameter in self.parameters if parameter.grad is not None]
        finite = bool(torch.stack([grad.isfinite().all() for grad in grads]).all()) if grads else True
        torch._foreach_div_(grads, loss_scale.scale)
        loss_scale.update(finite)
        return finite


def _set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = rate
