"""`python -m recplat.runtime RUN_FOLDER`, started by torchrun once for each rank."""

import os
import sys
import time
import traceback
from pathlib import Path

from recplat.runtime.events import EventWriter
from recplat.runtime.failures import failed_event
from recplat.tracking.run_folder import RunFolder


def main() -> None:
    started, parent = time.time(), os.getppid()  # before the imports, which take seconds: a parent may die meanwhile
    rank = int(os.environ.get("RANK", "0"))
    folder = RunFolder(Path(sys.argv[1]))
    events = EventWriter(folder.rank_events(rank))
    try:
        from recplat.runtime.entry import run_rank  # inside, so that a library that fails to import is told

        run_rank(folder, events, rank, started, parent)
        _leave(0)
    except BaseException as error:
        events.write(failed_event(error, rank, events.step))
        traceback.print_exc()
        _leave(1)


def _leave(code: int) -> None:
    """End the process without Python's tidying up.

    After a failure that would wait for threads that wait for other ranks; after success it takes a second, in which
    threads of gloo that outlive their group can end the process with SIGABRT.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
