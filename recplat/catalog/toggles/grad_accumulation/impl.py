"""Micro-batches through the dense part, one backward pass through the lookups."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

#: Gives the loss of rows `rows` of the batch from their lookups.
LossOf = Callable[[slice, Tensor], Tensor]


def accumulate(loss_of: LossOf, pooled_BE: Tensor, num_pieces: int) -> Tensor:
    """The sum of the pieces' losses, with a gradient towards `pooled_BE`.

    Gradients of the dense part are added up right here, piece by piece, so that no more than one piece's activations
    are ever held; the backward pass of the result goes to the lookups alone, once.
    """
    loss: Tensor = _Accumulate.apply(pooled_BE, loss_of, num_pieces)  # type: ignore[no-untyped-call]
    return loss


class _Accumulate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, pooled_BE: Tensor, loss_of: LossOf, num_pieces: int) -> Tensor:
        grad_BE = torch.empty_like(pooled_BE)
        total = pooled_BE.new_zeros(())
        num_rows = pooled_BE.shape[0]
        for piece in range(num_pieces):
            rows = slice(piece * num_rows // num_pieces, (piece + 1) * num_rows // num_pieces)
            with torch.enable_grad():
                leaf = pooled_BE[rows].detach().requires_grad_()
                loss = loss_of(rows, leaf)
            loss.backward()  # type: ignore[no-untyped-call]
            if leaf.grad is not None:
                grad_BE[rows] = leaf.grad
            total += loss.detach()
        ctx.save_for_backward(grad_BE)
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (grad_BE,) = ctx.saved_tensors
        return grad_BE * grad, None, None
