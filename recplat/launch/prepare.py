"""What is worked out while the ranks import their libraries: statistics, plan, prepared data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from recplat.data import ensure_statistics, prepare
from recplat.lang.shapes import Device
from recplat.lang.statistics import Statistics
from recplat.launch.display import Display, Progress
from recplat.plan import Plan, compile_plan
from recplat.plan.devices import memory_per_rank
from recplat.spec import LoadedJob


class Preparation(Struct, frozen=True, kw_only=True):
    statistics: Statistics
    plan: Plan
    data: Path


def prepare_run(loaded: LoadedJob, device: Device, display: Display, check: Callable[[], None]) -> Preparation:
    """
    Args:
        check: called between the phases and as rows are read; raises when going on makes no sense.
    Raises:
        Problems: the data is at fault, or no plan fits this machine.
    """
    job, catalog, root = loaded.job, loaded.catalog, loaded.root
    with display.phase("statistics") as progress:
        statistics = ensure_statistics(job, catalog, root, progress=_checked(progress, check))
    check()
    with display.phase("plan"):
        compiled = compile_plan(job, statistics, device, catalog, memory_per_rank=memory_per_rank(job.spec, device))
    display.planned(compiled.plan)
    for warning in compiled.warnings:
        display.note(f"warning[{warning.code}]: {warning.message}")
    check()
    with display.phase("data") as progress:
        data = prepare(job, catalog, statistics, root, progress=_checked(progress, check))
    check()
    return Preparation(statistics=statistics, plan=compiled.plan, data=data)


def _checked(progress: Progress, check: Callable[[], None]) -> Progress:
    def told(what: str, num_done: int, num_rows: int | None) -> None:
        check()
        progress(what, num_done, num_rows)

    return told
