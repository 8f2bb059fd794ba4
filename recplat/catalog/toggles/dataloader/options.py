"""`optimizations.dataloader`."""

from typing import Annotated

from recplat.lang.fields import doc
from recplat.lang.kinds import Decision, Toggle
from recplat.lang.shapes import Device, Workload


class Options(Toggle, frozen=True, kw_only=True):
    """Reads batches ahead in a thread, and into page-locked memory for a GPU. Results are bitwise the same."""

    prefetch: Annotated[int, doc("Batches read ahead on each rank.", 2, ge=1, le=1024)] = 2

    def decide(self, device: Device, workload: Workload) -> Decision:
        if self.mode == "disabled":
            return Decision(active=False, reason="switched off", settings={"prefetch": 0, "pin": False})
        pin = device.type == "cuda"
        reason = f"{self.prefetch} batches ahead" + (", page-locked for the GPU" if pin else "")
        return Decision(active=True, reason=reason, settings={"prefetch": self.prefetch, "pin": pin})
