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
    started = time.time()
    rank = int(os.environ.get("RANK", "0"))
    folder = RunFolder(Path(sys.argv[1]))
    events = EventWriter(folder.rank_events(rank))
    try:
        from recplat.runtime.entry import run_rank  # inside, so that a library that fails to import is told

        run_rank(folder, events, rank, started)
    except BaseException as error:
        events.write(failed_event(error, rank, events.step))
        traceback.print_exc()
        sys.stderr.flush()
        # Not sys.exit: it would wait for threads that wait for other ranks.
        os._exit(1)


if __name__ == "__main__":
    main()
