"""How busy the machine is, as metrics `system/…`."""

from __future__ import annotations

import importlib.util


class SystemSampler:
    """Figures of the whole machine; CPU use is over the time since the sample before. Without psutil there are none."""

    def __init__(self) -> None:
        self._is_able = importlib.util.find_spec("psutil") is not None
        self.sample()  # the first one only sets the start

    def sample(self) -> dict[str, float]:
        if not self._is_able:
            return {}
        import psutil

        memory = psutil.virtual_memory()
        return {
            "system/cpu_fraction": psutil.cpu_percent() / 100,
            "system/memory_used_bytes": memory.total - memory.available,
            "system/memory_used_fraction": memory.percent / 100,
        }
