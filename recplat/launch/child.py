"""How torchrun and the ranks are started: `python -m recplat.launch.child LOG MODULE ARGUMENT…`.

Runs MODULE as `python -m MODULE` would, with output in the file LOG, where `{rank}` in its name stands for the rank;
and it dies when the process that started it dies, even by SIGKILL, so that no rank is left behind with a GPU in its
hands.
Imports almost nothing: whatever it costs delays every rank.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    log, module, *arguments = sys.argv[1:]
    folder, slash, name = log.rpartition("/")  # a folder may have braces in its name
    _send_output_to(folder + slash + name.format(rank=os.environ.get("RANK", "")))
    _die_with_parent()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _send_output_to(log: str) -> None:
    # At the level of file descriptors, so that what C++ libraries print and crash reports come along.
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(file, sys.stdout.fileno())
    os.dup2(file, sys.stderr.fileno())
    os.close(file)


def _die_with_parent() -> None:
    """Linux sends the signal when the thread that started this process ends, so that must be one that stays."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(os.environ["RECPLAT_PARENT"]):  # it had died before that
        os.kill(os.getpid(), signal.SIGKILL)
    os.environ["RECPLAT_PARENT"] = str(os.getpid())


if __name__ == "__main__":
    main()
