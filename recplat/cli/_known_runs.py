"""The runs that `recplat runs` can speak of: those with folders, and those of a store that is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from recplat.tracking.record import Record, artifact_files, read_fields, read_plan, read_record
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.runs import find_run, run_folders


class Details(Struct, frozen=True, kw_only=True):
    """One run with its spec."""

    record: Record
    fields: dict[str, str]  # of the normal form, by path
    plan: dict[str, Any] | None
    files: tuple[str, ...]


class KnownRuns:
    def __init__(self, root: Path, tracking_uri: str | None) -> None:
        self._root = root
        self._remote: dict[str, tuple[Record, dict[str, str]]] = {}
        if tracking_uri is not None:
            from recplat.tracking.remote import list_remote

            self._remote = {record.run_id: (record, fields) for record, fields in list_remote(tracking_uri)}

    def records(self) -> list[Record]:
        """Newest first; the folder counts where a run has one."""
        # One whose state can't be read is left out, as is one that removes itself just now.
        read = [read_record(folder) for folder in run_folders(self._root)]
        local = {record.run_id: record for record in read if record is not None}
        remote = {run_id: record for run_id, (record, _) in self._remote.items()}
        return sorted((remote | local).values(), key=lambda record: record.created, reverse=True)

    def details(self, wanted: str) -> Details:
        """
        Raises:
            Problems: no run, or more than one, answers to that name.
        """
        found = [run_id for run_id in self._remote if run_id.startswith(wanted)]
        has_folder = any(folder.path.name.startswith(wanted) for folder in run_folders(self._root))
        if len(found) == 1 and not has_folder:
            record, fields = self._remote[found[0]]
            return Details(record=record, fields=fields, plan=None, files=())
        return _local_details(find_run(self._root, wanted))


def _local_details(folder: RunFolder) -> Details:
    record = read_record(folder)
    assert record is not None, "find_run has read its state"
    return Details(
        record=record,
        fields=read_fields(folder),
        plan=read_plan(folder),
        files=tuple(str(path) for path in artifact_files(folder)),
    )
