"""Plays a rank without torch: `RECPLAT_PLAYED` says what happens. Started like `recplat.runtime`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(sys.argv[1])
RANK = int(os.environ["RANK"])
PLAY = os.environ["RECPLAT_PLAYED"]


def tell(type: str, **fields: object) -> None:
    line = json.dumps({"type": type, "time": time.time(), **fields})
    if type == "finished":
        (FOLDER / "result.json").write_text(line)
    with (FOLDER / "events" / f"rank-{RANK}.jsonl").open("a") as file:
        file.write(line + "\n")


def step(number: int) -> None:
    if RANK == 0:
        figures = {"loss": 0.6, "num_rows": 32 * number, "rows_per_second": 100.0, "loader_wait_fraction": 0.1}
        rates = {"dense_learning_rate": 1e-3, "embedding_learning_rate": 1e-2}
        tell("step", step=number, epoch=0, memory_bytes=1000, **figures, **rates)


def finish() -> None:
    reason = "stopped" if PLAY == "stopped" else "epochs"
    if RANK == 0:
        metrics = {"auc": 0.75, "logloss": 0.5, "ne": None}
        tell("evaluated", step=4, epoch=0, part="eval", num_rows=10, seconds=0.1, metrics=metrics, is_best=True)
        tell("evaluated", step=4, epoch=0, part="test", num_rows=10, seconds=0.1, metrics=metrics)
        curves = {"roc": [[0, 0], [0.3, 0.8], [1, 1]], "calibration": [[0.2, 0.1], [0.8, 0.9]]}
        tell("curves", step=4, part="test", curves=curves)
        figures = {"num_rows": 128, "train_seconds": 1.0, "rows_per_second": 128.0, "loader_wait_fraction": 0.1}
        parts = {"eval": metrics, "test": metrics}
        versions = {"torch": "0"}
        tell("finished", step=4, epoch=0, reason=reason, best_step=4, metrics=parts, versions=versions, **figures)


def main() -> None:
    tell("ready", rank=RANK, phase="imported", seconds=0.1)
    while not (FOLDER / "go.json").exists():
        if (FOLDER / "abort").exists():
            return
        time.sleep(0.01)
    for number in (1, 2, 3):
        step(number)
        if number == 3:
            act()
    finish()


def act() -> None:
    match PLAY, RANK:
        case "raise", 1:
            error = "ValueError: no such row"
            tell("failed", rank=1, step=3, error=error, traceback="Traceback: rank 1 in detail", help=None)
            os._exit(1)
        case "raise", 0:
            time.sleep(0.5)
            tell(
                "failed", rank=0, step=3, error="RuntimeError: connection closed by peer", traceback="Traceback: rank 0"
            )
            os._exit(1)
        case "killed", 1:
            print("the last words of rank 1", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        case "killed", 0:
            time.sleep(0.1)
            tell(
                "failed", rank=0, step=3, error="RuntimeError: connection closed by peer", traceback="Traceback: rank 0"
            )
            os._exit(1)
        case "stuck", _:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
            (FOLDER / f"stuck-{RANK}").touch()
            time.sleep(600)
        case "silent", 1:
            os._exit(7)
        case _:
            pass


main()
