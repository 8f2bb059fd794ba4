"""The `adam` update of tables: inside the backward pass, and after it for dense kernels."""

from collections.abc import Iterable
from typing import Any

import torch
from fbgemm_gpu.split_embedding_configs import EmbOptimType

from recplat.catalog.embedding_optimizers.adam.options import Options


def fused_params(options: Options) -> dict[str, Any]:
    """What FBGEMM's table-batched embedding is made with, the learning rate aside."""
    return {
        "optimizer": EmbOptimType.ADAM,
        "beta1": options.beta1,
        "beta2": options.beta2,
        "eps": options.eps,
    }


def build(options: Options, parameters: Iterable[torch.nn.Parameter]) -> torch.optim.Optimizer:
    return RowAdam(parameters, options)


class RowAdam(torch.optim.Optimizer):
    """Adam that leaves rows without a gradient alone, as FBGEMM's fused Adam does.

    The bias correction counts steps, not how often a row was looked up, again as there.
    """

    def __init__(self, parameters: Iterable[torch.nn.Parameter], options: Options) -> None:
        betas = (options.beta1, options.beta2)
        super().__init__(parameters, {"lr": options.learning_rate, "betas": betas, "eps": options.eps})
        for group in self.param_groups:
            for weight_RC in group["params"]:
                self.state[weight_RC] = {
                    "step": torch.zeros((), dtype=torch.int64),
                    # fp32 whatever the table's type: in fp16 squares of small gradients would vanish.
                    "exp_avg": torch.zeros_like(weight_RC, dtype=torch.float32),
                    "exp_avg_sq": torch.zeros_like(weight_RC, dtype=torch.float32),
                }

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """R: rows, C: columns, L: rows with a gradient."""
        assert closure is None
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for weight_RC in group["params"]:
                state = self.state[weight_RC]
                state["step"] += 1
                if weight_RC.grad is None:
                    continue
                rows_L = weight_RC.grad.any(dim=1).nonzero().squeeze(1)
                grad_LC = weight_RC.grad[rows_L].float()
                mean_LC = state["exp_avg"][rows_L].mul_(beta1).add_(grad_LC, alpha=1 - beta1)
                square_LC = state["exp_avg_sq"][rows_L].mul_(beta2).addcmul_(grad_LC, grad_LC, value=1 - beta2)
                state["exp_avg"][rows_L] = mean_LC
                state["exp_avg_sq"][rows_L] = square_LC
                num_steps = int(state["step"])
                root_LC = square_LC.div(1 - beta2**num_steps).sqrt_().add_(group["eps"])
                update_LC = mean_LC.div(1 - beta1**num_steps).div_(root_LC).mul_(-group["lr"])
                weight_RC[rows_L] = (weight_RC[rows_L] + update_LC).to(weight_RC.dtype)
