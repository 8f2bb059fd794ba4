"""Runs the job of a spec with played ranks, as `recplat apply` does with real ones: `drive.py SPEC`."""

import sys

from recplat.launch.interrupt import Interrupted
from recplat.launch.lines import Lines
from recplat.launch.run import run
from recplat.spec import load_job

try:
    run(load_job(sys.argv[1]), Lines(sys.stderr), module="played_rank")
except Interrupted:
    sys.exit(130)
