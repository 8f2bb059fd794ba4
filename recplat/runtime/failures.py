"""How a rank ends when something is wrong."""

import time
import traceback

from recplat.tracking.events import Failed


class RunError(ValueError):
    """A failure whose remedy is known."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def failed_event(error: BaseException, rank: int, step: int | None) -> Failed:
    return Failed(
        time=time.time(),
        rank=rank,
        step=step,
        error=str(error) if isinstance(error, RunError) else f"{type(error).__name__}: {error}",
        traceback="".join(traceback.format_exception(error)),
        help=_help(error),
    )


def _help(error: BaseException) -> str | None:
    if isinstance(error, RunError):
        return error.help
    if isinstance(error, MemoryError) or "out of memory" in str(error).lower():
        return "lower `train.batch_size`, use `grad_accumulation`, or spread the tables over more ranks"
    return None
