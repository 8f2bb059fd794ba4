"""The statistics lock as a file: where it lies, what it belongs to, whether it is whole.

Needs neither NumPy nor Arrow, since `plan` reads it.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec

from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.statistics import Statistics
from recplat.spec.paths import STATE_FOLDER, resolve
from recplat.spec.types import Source, TrainingJob

STATISTICS_FORMAT = 1
_FILE = "statistics.json"
_SPEC_PATH = "spec.data.statistics"
#: Fields of a feature that say what becomes of its ids. The table is not among them: features that share one share
#: their vocabulary.
_FEATURE_FIELDS_LEFT_OUT = ("dim", "pooling")


def statistics_key(job: TrainingJob) -> str:
    """A digest of what decides the statistics: sources, split, label, weight, features, groups of metrics."""
    data = job.spec.data
    groups = sorted({column for metric in job.spec.evaluate.metrics if (column := metric.group_column())})
    said = {
        "format": STATISTICS_FORMAT,
        "sources": {name: _source(getattr(data, name)) for name in ("source", "train", "eval", "test")},
        "split": msgspec.to_builtins(data.split),
        "label": msgspec.to_builtins(data.label),
        "weight": data.weight,
        "features": [_feature(feature) for feature in job.spec.features],
        "groups": groups,
    }
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()[:32]


def statistics_digest(statistics: Statistics) -> str:
    """SHA-256 over all of a lock but its own digest and the times of files."""
    said: dict[str, Any] = msgspec.to_builtins(statistics)
    del said["digest"]
    for file in said["files"]:
        del file["mtime_ns"]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def statistics_folder(job: TrainingJob, root: Path) -> Path:
    """Where this machine keeps the lock of the job and, always, the values of its vocabularies."""
    return root / STATE_FOLDER / "statistics" / statistics_key(job)


def load_statistics(job: TrainingJob, root: Path) -> Statistics | None:
    """The lock that the spec names, or the one kept for it; None where there is none. Does not look at the data.

    Raises:
        Problems: the lock that the spec names is broken, or belongs to another spec.
    """
    if job.spec.data.statistics is None:
        return load_local(job, root)
    return load_named(job, root)


def load_local(job: TrainingJob, root: Path) -> Statistics | None:
    """The lock under `.recplat/`; None where there is none or it is of no use."""
    try:
        statistics = _decode(statistics_folder(job, root) / _FILE)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    is_whole = statistics.format == STATISTICS_FORMAT and statistics.digest == statistics_digest(statistics)
    return statistics if is_whole else None


def load_named(job: TrainingJob, root: Path) -> Statistics | None:
    """The lock that the spec names; None where there is no such file.

    Raises:
        Problems: it is broken, or belongs to another spec.
    """
    named = job.spec.data.statistics
    assert named is not None
    try:
        statistics = _decode(Path(resolve(named, root)))
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as error:
        raise Problems([_broken(named, str(error))]) from error
    if statistics.format != STATISTICS_FORMAT:
        raise Problems([_broken(named, f"its format is {statistics.format}, not {STATISTICS_FORMAT}")])
    if statistics.digest != statistics_digest(statistics):
        raise Problems([_broken(named, "its content does not fit its digest")])
    if statistics.key != statistics_key(job):
        raise Problems([stale(job, "it was made for other sources, split, label, weight or features than the spec's")])
    return statistics


def save_local(statistics: Statistics, job: TrainingJob, root: Path) -> None:
    _write(statistics, statistics_folder(job, root) / _FILE)


def save_named(statistics: Statistics, path: Path) -> None:
    """The lock as a file for git: without the times of files, which differ by machine."""
    files = tuple(msgspec.structs.replace(file, mtime_ns=0) for file in statistics.files)
    _write(msgspec.structs.replace(statistics, files=files), path)


def stale(job: TrainingJob, why: str) -> Diagnostic:
    """The lock that the spec names no longer says what is so."""
    return Diagnostic(
        "statistics-stale",
        f"the statistics lock `{_shown(job.spec.data.statistics)}` is out of date: {why}",
        help="run `recplat data stats` on the spec and commit the lock, or restore what it was made from",
        path=_SPEC_PATH,
    )


def _decode(path: Path) -> Statistics:
    return msgspec.json.decode(path.read_bytes(), type=Statistics)


def _write(statistics: Statistics, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(statistics, order="sorted"), indent=2)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(text + b"\n")
    temporary.replace(path)


def _broken(named: str, why: str) -> Diagnostic:
    return Diagnostic(
        "statistics-broken",
        f"the statistics lock `{_shown(named)}` can't be used: {why}",
        help="restore it from git, or delete it and run `recplat data stats` on the spec",
        path=_SPEC_PATH,
    )


def _shown(named: str | None) -> str:
    return (named or "").removeprefix("project:")


def _source(source: Source | None) -> Any:
    return msgspec.to_builtins(source)


def _feature(feature: Any) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.to_builtins(feature)
    return {name: value for name, value in said.items() if name not in _FEATURE_FIELDS_LEFT_OUT}
