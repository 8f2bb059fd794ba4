"""`optimizations.grad_accumulation`."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from recplat.lang.fields import doc
from recplat.lang.kinds import Decision, Fault, Toggle
from recplat.lang.shapes import Device, Workload


class Options(Toggle, frozen=True, kw_only=True):
    """Runs a batch through the dense part in pieces, so that activations of one piece at a time are held.

    There is one lookup and one update of the tables for each global batch, as without it; in fp32 weights agree with
    those of the whole batch to 1e-6.
    """

    shorthand: ClassVar[str | None] = "steps"

    steps: Annotated[int, doc("Pieces that a rank's batch is cut into.", 4, ge=1, le=65536)] = 1

    def faults(self) -> Iterator[Fault]:
        if self.mode == "enabled" and self.steps == 1:
            yield Fault(
                code="grad-accumulation-steps-missing",
                field="steps",
                message="gradient accumulation is on with one piece, which is the whole batch",
                help="say how many pieces, for instance `grad_accumulation: 4`, or leave it out",
            )

    def decide(self, device: Device, workload: Workload) -> Decision:
        if self.mode == "disabled" or self.steps == 1:
            reason = "switched off" if self.mode == "disabled" else "the batch goes through in one piece"
            return Decision(active=False, reason=reason, settings={"steps": 1})
        rows = workload.batch_size / device.num_ranks / self.steps
        reason = f"{self.steps} pieces of {rows:.0f} rows on each rank"
        return Decision(active=True, reason=reason, settings={"steps": self.steps})

    def unavailable(self, device: Device, workload: Workload) -> str | None:
        rows = workload.batch_size // device.num_ranks
        return f"a rank has {rows} rows of a batch, fewer than {self.steps} pieces" if rows < self.steps else None
