import msgspec

from recplat.tracking.event_files import EventFiles, read_all_events
from recplat.tracking.events import Noted, Ready, Step
from recplat.tracking.run_folder import RunFolder


def line(time: float, rank: int = 0) -> bytes:
    return msgspec.json.encode(Ready(time=time, rank=rank, phase="imported", seconds=1.0)) + b"\n"


def test_a_line_in_the_making_is_read_when_it_is_whole(folder):
    folder.events.mkdir()
    files = EventFiles(folder)
    assert files.read() == []
    with folder.rank_events(0).open("ab", buffering=0) as file:
        file.write(line(1.0) + line(2.0)[:20])
        assert [event.time for event in files.read()] == [1.0]
        assert files.read() == []
        file.write(line(2.0)[20:])
        assert [event.time for event in files.read()] == [2.0]


def test_events_of_all_ranks_come_in_order_of_time(folder):
    folder.events.mkdir()
    folder.rank_events(0).write_bytes(line(1.0) + line(3.0))
    folder.rank_events(11).write_bytes(line(2.0, rank=11))
    assert [event.time for event in EventFiles(folder).read()] == [1.0, 2.0, 3.0]


def test_a_torn_line_is_told_and_does_not_stop_the_reading(folder):
    folder.events.mkdir()
    folder.rank_events(3).write_bytes(b'{"type":"rea\n' + line(2.0))
    torn, whole = EventFiles(folder).read()
    assert isinstance(torn, Noted)
    assert (torn.code, torn.rank) == ("event-unreadable", 3)
    assert whole.time == 2.0


def test_earlier_attempts_come_first(folder):
    for name, time in (
        ("attempts/1/events", 5.0),
        ("attempts/10/events", 7.0),
        ("attempts/2/events", 6.0),
        ("events", 1.0),
    ):
        (folder.path / name).mkdir(parents=True)
        (folder.path / name / "rank-0.jsonl").write_bytes(line(time))
    assert [event.time for event in read_all_events(folder)] == [5.0, 6.0, 7.0, 1.0]


def test_steps_that_a_later_attempt_took_again_count_once(folder):
    def step(number: int, loss: float) -> bytes:
        event = Step(
            time=float(number), step=number, epoch=0, loss=loss, num_rows=1, rows_per_second=1.0,
            loader_wait_fraction=0.0, dense_learning_rate=0.1, embedding_learning_rate=0.1, memory_bytes=1,
        )  # fmt: skip
        return msgspec.json.encode(event) + b"\n"

    earlier = RunFolder(folder.path / "attempts" / "1")
    for each, steps in ((earlier, (10, 20, 30)), (folder, (21, 31))):
        each.events.mkdir(parents=True)
        each.rank_events(0).write_bytes(b"".join(step(number, 0.5) for number in steps))
    assert [event.step for event in read_all_events(folder)] == [10, 20, 21, 31]
