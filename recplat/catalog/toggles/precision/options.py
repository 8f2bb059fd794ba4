"""`optimizations.precision`."""

from typing import Annotated, ClassVar, Literal

from recplat.lang.fields import doc
from recplat.lang.kinds import Decision, Toggle
from recplat.lang.shapes import Device, Workload

AMPERE = (8, 0)

#: Floating point operations of a rank's forward pass from which bf16 clearly pays on a CPU that has it; below, casting
#: weights and activations costs as much as the faster products save. Measured on one thread of an AMD EPYC (Zen 5),
#: 2026-11-30, MLPs of 64 to 1000 inputs, forward and backward: 0.5 x fp32's speed at 2 MFLOP, 0.9 to 1.2 at 6 to 9,
#: 1.7 at 24, 2.7 at 150, 3.7 at 4000.
MIN_CPU_FLOPS = 20_000_000


class Options(Toggle, frozen=True, kw_only=True):
    """The number format of the dense part's matrix products; weights, loss, tables and evaluation stay fp32.

    Losses agree with fp32's to about 1e-2 relative with bf16 and fp16, to 1e-3 with tf32.
    """

    shorthand: ClassVar[str | None] = "dtype"

    dtype: Annotated[
        Literal["fp32", "tf32", "bf16", "fp16"] | None,
        doc(
            "Format; by default bf16 where the device has it. fp16 scales the loss and skips steps that overflow.",
            "bf16",
        ),
    ] = None

    def decide(self, device: Device, workload: Workload) -> Decision:
        if self.mode == "disabled":
            return _decision("fp32", "switched off")
        if self.dtype is not None:
            return _decision(self.dtype, "asked for")
        if self.mode == "enabled":
            return _decision("bf16", "switched on")
        return _automatic(device, workload)

    def unavailable(self, device: Device, workload: Workload) -> str | None:
        dtype = self.dtype or "bf16"
        if device.type == "cpu":
            if dtype == "fp16":
                return "fp16 is slower than fp32 on a CPU; `bf16` is the fast one where the CPU has it"
            if dtype == "tf32":
                return "tf32 is a format of NVIDIA GPUs"
            if dtype == "bf16" and not device.has_native_bf16:
                return "this CPU has no bf16 instructions (AVX512-BF16 or AMX), so bf16 is slower than fp32"
            return None
        if dtype in ("bf16", "tf32") and device.capability is not None and device.capability < AMPERE:
            return f"{dtype} needs a GPU of compute capability 8.0 or later"
        return None


def _automatic(device: Device, workload: Workload) -> Decision:
    if device.type == "cuda":
        if device.capability is None:
            return _decision("fp32", "the GPU's compute capability is not known here")
        if device.capability < AMPERE:
            return _decision("fp32", "the GPU has no bf16")
        return _decision("bf16", "the GPU has bf16")
    if not device.has_native_bf16:
        return _decision("fp32", "this CPU has no bf16 instructions")
    flops = workload.flops_per_sample * workload.batch_size // device.num_ranks
    if flops < MIN_CPU_FLOPS:
        return _decision("fp32", f"{flops / 1e6:.0f} MFLOP a step on each rank are too few for bf16 to pay")
    return _decision("bf16", "this CPU has bf16 instructions")


def _decision(dtype: str, reason: str) -> Decision:
    return Decision(active=dtype != "fp32", reason=reason, settings={"dtype": dtype})
