import io

import msgspec
import pytest
from rich.console import Console

from recplat.launch.display import Totals
from recplat.launch.displays import open_display
from recplat.launch.lines import Lines
from recplat.launch.live import Live
from recplat.tracking.events import Checkpointed, Evaluated, Noted, Ready, Step

STEP = Step(
    time=1.0, step=7, epoch=1, loss=0.51234, num_rows=700, rows_per_second=52_300.4, loader_wait_fraction=0.03,
    dense_learning_rate=1e-3, embedding_learning_rate=1e-2, memory_bytes=3 * 2**30,
)  # fmt: skip
EVALUATED = Evaluated(
    time=1.0, step=7, epoch=1, part="eval", num_rows=5, seconds=1.0, metrics={"auc": 0.75, "ne": None}, is_best=True
)


@pytest.fixture
def stream():
    return io.StringIO()


def test_lines_say_each_figure_once_in_a_while(stream):
    lines = Lines(stream, interval_s=0.0)
    lines.event(STEP)
    assert stream.getvalue() == "step 7  epoch 2  loss 0.5123  52,300 samples/s  loader wait 3%  process memory 3 GiB\n"
    rare = Lines(stream, interval_s=1000.0)
    rare.event(STEP)
    assert stream.getvalue().count("step 7") == 1


def test_the_time_left_goes_by_the_mean_pace_and_not_by_the_last_moment():
    totals = Totals()
    totals.num_steps = 100
    assert totals.seconds_left(msgspec.structs.replace(STEP, step=10, time=50.0)) is None
    assert totals.seconds_left(msgspec.structs.replace(STEP, step=60, time=60.0, rows_per_second=1.0)) == 8.0


def test_lines_say_what_happens_once(stream):
    lines = Lines(stream)
    lines.started("20261130-1", "/runs/1")
    with lines.phase("statistics") as progress:
        progress("reading", 5, 10)
    lines.event(Ready(time=1.0, rank=0, phase="imported", seconds=13.2))
    lines.event(Ready(time=1.0, rank=1, phase="imported", seconds=13.4))
    lines.event(EVALUATED)
    lines.event(Checkpointed(time=1.0, step=7, path="", seconds=0.5, is_best=True))
    lines.event(Noted(time=1.0, rank=0, code="ids-unknown", message="3 of 10"))
    run, statistics, *rest = stream.getvalue().splitlines()
    assert run == "run 20261130-1 in /runs/1"
    assert statistics.startswith("statistics: ")
    assert rest == [
        "ranks have their libraries: 13.2s",
        "eval at step 7: auc 0.7500  ne undefined  best",
        "checkpoint at step 7: 500ms",
        "note[ids-unknown]: 3 of 10",
    ]


def test_a_pipe_gets_lines(stream):
    assert isinstance(open_display(stream), Lines)


def test_a_terminal_gets_a_live_block_that_is_gone_at_the_end(stream):
    live = Live(Console(file=stream, force_terminal=True, width=120, color_system=None))
    live.started("20261130-1", "/runs/1")
    with live.phase("statistics"):
        pass
    live.event(STEP)
    live.event(EVALUATED)
    live.close()
    shown = stream.getvalue()
    assert "✓ statistics" in shown
    assert "52,300 samples/s" in shown
    assert "auc 0.7500" in shown


def test_a_phase_that_fails_is_not_called_done(stream):
    lines = Lines(stream)
    with pytest.raises(ValueError, match="no"), lines.phase("statistics"):
        raise ValueError("no")
    assert stream.getvalue() == ""
