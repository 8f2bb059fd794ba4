"""recplat from Python: what `recplat plan` and `recplat apply` do, as functions.

import recplat

loaded = recplat.load("specs/ml100k-deepfm.yaml", sets=("spec.train.epochs=3",))
print(recplat.plan(loaded).plan.memory)
result = recplat.apply(loaded)
print(result.metrics["test"]["auc"])
"""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from recplat.diagnostics import Problems
from recplat.plan import Compiled, compile_plan, local_device
from recplat.plan.devices import memory_per_rank
from recplat.spec import LoadedJob, load_job

if TYPE_CHECKING:
    from recplat.launch import Result


def load(path: str | Path, *, overlays: tuple[str, ...] = (), sets: tuple[str, ...] = ()) -> LoadedJob:
    """The typed job of a spec file.

    Args:
        overlays: files merged over it, in this order.
        sets: `path=value` texts, such as `spec.train.epochs=3`.
    Raises:
        Problems: the spec is at fault; `.diagnostics` holds all of it.
    """
    return load_job(path, overlays, sets)


def plan(loaded: LoadedJob) -> Compiled:
    """The plan of a job on this machine, from its statistics lock if there is one.

    Raises:
        Problems: it can't be planned: a table fits nowhere, a toggle can't act here.
    """
    from recplat.data.lock import load_statistics

    try:
        statistics = load_statistics(loaded.job, loaded.root)
        device = local_device(loaded.job.spec.resources)
        compiled = compile_plan(
            loaded.job, statistics, device, loaded.catalog, memory_per_rank=memory_per_rank(loaded.job.spec, device)
        )
    except Problems as problems:
        raise loaded.placed(problems) from None
    if not compiled.warnings:
        return compiled
    return msgspec.structs.replace(compiled, warnings=loaded.placed(Problems(compiled.warnings)).diagnostics)


def apply(loaded: LoadedJob, *, resume: str | None = None) -> "Result":
    """Train the job on this machine and wait for its end.

    Args:
        resume: id of a run of this spec that did not finish.
    Raises:
        Problems: the spec, its data or the run is at fault.
    """
    from recplat.targets.local import LocalTarget

    return LocalTarget().apply(loaded, resume=resume)
