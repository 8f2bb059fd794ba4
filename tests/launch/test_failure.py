"""Which of many failures is told, from what ranks said and what torchrun reports."""

import pytest

from recplat.launch.failure import Exit, rank_exits, run_failure
from recplat.tracking.events import Failed
from recplat.tracking.run_folder import RunFolder


class StoppedRanks:
    def __init__(self, were_stopped: bool) -> None:
        self.were_stopped = were_stopped


LEFT, STOPPED = StoppedRanks(False), StoppedRanks(True)


@pytest.fixture
def folder(tmp_path):
    folder = RunFolder(tmp_path)
    folder.logs.mkdir()
    return folder


def report(folder: RunFolder, **exits: int) -> None:
    """torchrun's own layout, shortened; `test_run.py` has the real one."""
    entries = [
        f"[{number}]:\n  time      : 2026-11-30\n  rank      : {rank[1:]} (local_rank: {rank[1:]})\n"
        f"  exitcode  : {code} (pid: 1{rank[1:]}) (SIG)\n"
        for number, (rank, code) in enumerate(exits.items())
    ]
    (folder.logs / "torchrun.log").write_text("Failures:\n" + "".join(entries))


def failed(time: float, rank: int, **fields: object) -> Failed:
    return Failed(time=time, rank=rank, step=2, error=f"error of rank {rank}", traceback="", **fields)


def message(folder, events, ranks=LEFT) -> str:
    return run_failure(folder, events, ranks).diagnostics[0].message


def test_exits_are_read_from_torchruns_report(folder):
    report(folder, r0=1, r13=-9)
    assert rank_exits(folder) == (Exit(0, 1), Exit(13, -9))


def test_the_earliest_failure_counts_whatever_its_rank(folder):
    assert (
        message(folder, [failed(9.0, 0), failed(3.0, 5), failed(4.0, 1)]) == "rank 5 failed at step 2: error of rank 5"
    )


def test_a_signal_comes_before_the_complaints_of_peers(folder):
    report(folder, r0=1, r1=-11)
    assert message(folder, [failed(1.0, 0)]) == "rank 1 was ended by SIGSEGV"


def test_the_log_that_is_named_exists(folder):
    report(folder, r1=1)
    [problem] = run_failure(folder, [], LEFT).diagnostics
    assert problem.notes[0] == f"log: {folder.logs / 'torchrun.log'}"
    (folder.logs / "rank-1.log").write_text("its last words\n")
    [problem] = run_failure(folder, [], LEFT).diagnostics
    assert problem.notes[0] == f"log: {folder.logs / 'rank-1.log'}"
    assert "recplat doctor" in problem.help


def test_ranks_that_torchrun_ended_are_no_cause(folder):
    report(folder, r0=1, r1=-15)
    assert message(folder, []) == "rank 0 ended with exit code 1"


def test_signals_that_we_sent_are_no_cause(folder):
    report(folder, r0=1, r1=-9)
    assert message(folder, [failed(1.0, 0)], STOPPED) == "rank 0 failed at step 2: error of rank 0"


def test_a_rank_that_knows_the_remedy_is_heard_and_its_log_is_named(folder):
    [problem] = run_failure(folder, [failed(1.0, 2, help="lower the rate")], LEFT).diagnostics
    assert problem.help == "lower the rate"
    assert problem.notes == (f"log: {folder.logs / 'rank-2.log'}",)


def test_a_failure_before_the_first_step_says_so(folder):
    event = Failed(time=1.0, rank=0, step=None, error="ImportError: no torch", traceback="")
    assert message(folder, [event]) == "rank 0 failed before its first step: ImportError: no torch"


def test_without_any_word_the_end_of_torchruns_log_is_shown(folder):
    (folder.logs / "torchrun.log").write_text("one\ntwo\n")
    [problem] = run_failure(folder, [], LEFT).diagnostics
    assert problem.code == "rank-died"
    assert any("two" in note for note in problem.notes)
