"""What is told of a run where it is recorded: its spec, parameters, tags and data."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from recplat.launch.prepare import Preparation
from recplat.launch.types import Run
from recplat.spec import LoadedJob
from recplat.spec.build import to_plain
from recplat.spec.paths import resolve
from recplat.tracking.params import to_params
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.tracker import TrackedDataset, TrackedRun

_PACKAGES = ("recplat", "torch", "torchrec", "fbgemm-gpu", "fbgemm-gpu-cpu")


def write_spec(loaded: LoadedJob, folder: RunFolder) -> None:
    """Keep the files of the spec as they are now, and its normal form."""
    folder.spec.mkdir()
    taken: set[str] = {folder.normal_form.name}
    for number, (file, text) in enumerate(loaded.document.sources.items()):
        name = Path(file).name
        name = f"{number}-{name}" if name in taken else name
        taken.add(name)
        (folder.spec / name).write_text(text, encoding="utf-8")
    folder.write(folder.normal_form, to_plain(loaded.job))


def tracked_run(this: Run, preparation: Preparation) -> TrackedRun:
    """What MLflow is told when the run starts; says so where a value had to be cut."""
    job, folder = this.loaded.job, this.folder
    params, cut = to_params(to_plain(job))
    if cut:
        shown = ", ".join(cut[:3]) + (f" and {len(cut) - 3} more" if len(cut) > 3 else "")
        this.display.note(f"values too long for MLflow are cut, spec/normal.json has the whole: {shown}")
    return TrackedRun(
        folder=folder.path,
        run_name=job.spec.tracking.run_name or job.metadata.name,
        params=params,
        tags=_tags(this, preparation),
        datasets=tuple(_datasets(this.loaded, preparation)),
        artifacts=((folder.spec, "spec"), (folder.plan, "plan"), (folder.statistics, "data")),
    )


def _tags(this: Run, preparation: Preparation) -> dict[str, str]:
    job, state = this.loaded.job, this.journal.state
    own = {
        "recplat.run_id": state.run_id,
        "recplat.attempt": str(state.attempt),
        "recplat.spec_hash": preparation.plan.spec_digest,
        "recplat.plan_hash": preparation.plan.digest,
        "recplat.statistics_hash": preparation.statistics.digest,
        "mlflow.source.name": state.spec_file,
    }
    if state.git_revision:
        own |= {"recplat.git_revision": state.git_revision, "mlflow.source.git.commit": state.git_revision}
    return {**job.metadata.labels, **job.spec.tracking.tags, **own, **dict(_versions())}


def _versions() -> Iterator[tuple[str, str]]:
    for package in _PACKAGES:
        try:
            yield f"recplat.version.{package}", metadata.version(package)
        except metadata.PackageNotFoundError:
            continue


def _datasets(loaded: LoadedJob, preparation: Preparation) -> Iterator[TrackedDataset]:
    data = loaded.job.spec.data
    for part in preparation.statistics.parts:
        source = data.source or getattr(data, part)
        yield TrackedDataset(part=part, digest=preparation.statistics.digest, source=resolve(source.path, loaded.root))
