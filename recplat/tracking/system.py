"""How busy the machine is, as metrics `system/…`."""

from __future__ import annotations


class SystemSampler:
    """Figures of the whole machine; CPU use is over the time since the sample before."""

    def __init__(self) -> None:
        import psutil

        psutil.cpu_percent()  # the first call only sets the start

    def sample(self) -> dict[str, float]:
        import psutil

        memory = psutil.virtual_memory()
        return {
            "system/cpu_fraction": psutil.cpu_percent() / 100,
            "system/memory_used_bytes": memory.total - memory.available,
            "system/memory_used_fraction": memory.percent / 100,
        }
