"""Which optimisations act in a run, and why."""

from recplat.diagnostics import Diagnostic
from recplat.lang.shapes import Device, Workload
from recplat.plan.types import TogglePlan
from recplat.spec.types import Spec


def plan_toggles(spec: Spec, device: Device, workload: Workload) -> tuple[tuple[TogglePlan, ...], list[Diagnostic]]:
    """All toggles in the order of their names, and those that are asked for where they can't act."""
    toggles: list[TogglePlan] = []
    problems: list[Diagnostic] = []
    for name, toggle in sorted(spec.optimizations.items()):
        reason = toggle.unavailable(device, workload)
        if reason is not None and toggle.mode == "enabled":
            problems.append(_unavailable(name, reason, device))
        decision = toggle.decide(device, workload)
        toggles.append(
            TogglePlan(
                name=name,
                mode=toggle.mode,
                active=decision.active,
                reason=decision.reason,
                settings=decision.settings,
            )
        )
    return tuple(toggles), problems


def _unavailable(name: str, reason: str, device: Device) -> Diagnostic:
    return Diagnostic(
        "toggle-unavailable",
        f"`{name}` is asked for, but it can't act on {device.type} here: {reason}",
        help=f"write `{name}: auto` to use it where it works, or `{name}: false`",
        path=f"spec.optimizations.{name}",
    )
