"""The plan: what a run will do, worked out without data, torch or a GPU. Read `compile.py` first, then `types.py`."""

from recplat.plan.codec import PlanFormatError, decode_plan, encode_plan
from recplat.plan.compile import Compiled, compile_plan
from recplat.plan.devices import local_device
from recplat.plan.types import Plan

__all__ = ["Compiled", "Plan", "PlanFormatError", "compile_plan", "decode_plan", "encode_plan", "local_device"]
