"""`optimizations.compile`."""

from typing import Annotated, ClassVar, Literal

from recplat.lang.fields import doc
from recplat.lang.kinds import Decision, Toggle
from recplat.lang.shapes import Device, Workload

#: Floating point operations a second of a rank, forward pass, used only to guess how long a run will take.
FLOPS_PER_SECOND = {"cpu": 2e11, "cuda": 5e13}

#: A run must be expected to take this long for the time that compiling takes to come back. Measured on one thread of an
#: AMD EPYC (Zen 5), 2026-11-30, batch 4096, three layers of 400 units, bf16: 14 to 22 s to compile; steps then take 0 %
#: (deepfm), 10 % (dlrm) and 13 % (dcn_v2) less.
MIN_RUN_SECONDS = 600.0


_NO_COMPILER = "there is no C++ compiler, which torch.compile needs"


class Options(Toggle, frozen=True, kw_only=True):
    """Compiles the dense part with `torch.compile`. Losses agree with the uncompiled ones to 1e-4 in fp32."""

    shorthand: ClassVar[str | None] = "preset"

    preset: Annotated[
        Literal["default", "reduce-overhead", "max-autotune"], doc("`mode` of `torch.compile`.", "default")
    ] = "default"
    fullgraph: Annotated[bool, doc("Whether anything that can't be compiled is an error.")] = False

    def decide(self, device: Device, workload: Workload) -> Decision:
        settings = {"preset": self.preset, "fullgraph": self.fullgraph}
        if self.mode == "disabled":
            return Decision(active=False, reason="switched off", settings=settings)
        if self.mode == "enabled":
            return Decision(active=True, reason="switched on", settings=settings)
        if not device.has_compiler:
            return Decision(active=False, reason=_NO_COMPILER, settings=settings)
        if workload.num_steps is None:
            return Decision(active=False, reason="the number of steps is not known yet", settings=settings)
        # A training step is about three forward passes.
        flops = 3 * workload.flops_per_sample * workload.batch_size / device.num_ranks * workload.num_steps
        seconds = flops / FLOPS_PER_SECOND[device.type]
        if seconds < MIN_RUN_SECONDS:
            reason = f"a run of about {seconds:.0f} s is too short to win back the time that compiling takes"
            return Decision(active=False, reason=reason, settings=settings)
        return Decision(active=True, reason=f"a run of about {seconds:.0f} s wins back compiling", settings=settings)

    def unavailable(self, device: Device, workload: Workload) -> str | None:
        return None if device.has_compiler else _NO_COMPILER
