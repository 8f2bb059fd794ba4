"""What the steps of one run share."""

from __future__ import annotations

from msgspec import Struct

from recplat.launch.display import Display
from recplat.spec import LoadedJob
from recplat.tracking.event_files import EventFiles
from recplat.tracking.run_folder import RunFolder
from recplat.tracking.run_state import Journal
from recplat.tracking.tracker import Tracker


class Run(Struct, frozen=True, kw_only=True):
    loaded: LoadedJob
    folder: RunFolder
    journal: Journal
    tracker: Tracker
    display: Display
    events: EventFiles  # read once each, in `tell_events` alone
    is_resumed: bool
