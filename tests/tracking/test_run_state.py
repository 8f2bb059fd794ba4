import os
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

from recplat.tracking.processes import is_alive, is_visible, processes_of, this_process
from recplat.tracking.run_state import SILENCE_S, Journal, RunState, is_abandoned, read_state


@pytest.fixture
def state(folder):
    return RunState(
        run_id=folder.path.name,
        name="tiny",
        status="RUNNING",
        process=this_process(),
        created=1.0,
        started=1.0,
        spec_file="tiny.yaml",
    )


def gone() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_the_own_process_is_alive_and_another_life_of_its_number_is_not():
    own = this_process()
    assert is_visible(own)
    assert is_alive(own)
    assert not is_alive(msgspec.structs.replace(own, start_ticks=own.start_ticks - 1))
    assert not is_visible(msgspec.structs.replace(own, boot_id="another boot"))


def test_a_zombie_does_not_count_as_alive():
    process = subprocess.Popen(["true"])
    stat = Path(f"/proc/{process.pid}/stat")
    deadline = time.monotonic() + 5
    while ") Z" not in stat.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    ticks = int(stat.read_text().rpartition(")")[2].split()[19])
    assert not is_alive(msgspec.structs.replace(this_process(), pid=process.pid, start_ticks=ticks))
    process.wait()


def test_processes_of_a_run_are_found_in_whatever_session_they_are(folder):
    environment = os.environ | {"RECPLAT_RUN": str(folder.path)}
    process = subprocess.Popen(["sleep", "60"], env=environment, start_new_session=True)
    deadline = time.monotonic() + 10
    while not (found := list(processes_of(folder.path))):  # its environment shows a moment after it has started
        assert time.monotonic() < deadline
    assert found == [process.pid]
    process.kill()
    process.wait()
    assert list(processes_of(folder.path)) == []


def test_a_run_is_abandoned_when_its_process_is_gone(folder, state):
    folder.write(folder.state, state)
    assert not is_abandoned(folder, state)
    lost = msgspec.structs.replace(state, process=msgspec.structs.replace(state.process, pid=gone()))
    assert is_abandoned(folder, lost)
    assert not is_abandoned(folder, msgspec.structs.replace(lost, status="FINISHED"))


def test_a_run_on_another_machine_is_abandoned_when_its_heartbeat_stops(folder, state):
    elsewhere = msgspec.structs.replace(state, process=msgspec.structs.replace(state.process, boot_id="elsewhere"))
    folder.write(folder.state, elsewhere)
    assert not is_abandoned(folder, elsewhere)
    silent = time.time() - SILENCE_S - 1
    os.utime(folder.state, (silent, silent))
    assert is_abandoned(folder, elsewhere)


def test_the_journal_keeps_the_state_on_disk(folder, state):
    assert read_state(folder) is None
    journal = Journal(folder, state)
    journal.update(attempt=2)
    assert read_state(folder).attempt == 2
    journal.end("FAILED", "no luck")
    ended = read_state(folder)
    assert (ended.status, ended.error, ended.has_ended) == ("FAILED", "no luck", True)
    assert ended.ended == pytest.approx(time.time(), abs=5)
