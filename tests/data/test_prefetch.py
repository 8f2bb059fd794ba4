import threading
import time

import pytest

from recplat.data.prefetch import Prefetched


def test_items_come_in_order():
    with Prefetched(iter(range(100)), 3) as items:
        assert list(items) == list(range(100))
        assert list(items) == []


def test_it_runs_ahead_by_its_depth_and_no_further():
    produced = []
    enough = threading.Event()

    def source():
        for i in range(100):
            produced.append(i)
            if i == 3:
                enough.set()
            yield i

    with Prefetched(source(), 3) as items:
        assert next(items) == 0
        assert enough.wait(5)
        time.sleep(0.05)
        # one taken, three in the queue, one in hand
        assert len(produced) <= 5


def test_an_exception_reaches_the_consumer_after_the_items_before_it():
    def source():
        yield 1
        raise ValueError("row 7 is bad")

    with Prefetched(source(), 2) as items:
        assert next(items) == 1
        with pytest.raises(ValueError, match="row 7 is bad"):
            next(items)


def test_waiting_is_measured():
    def slow():
        for i in range(3):
            time.sleep(0.05)
            yield i

    with Prefetched(slow(), 1) as items:
        list(items)
    assert 0.1 < items.wait_seconds < 2
    with Prefetched(iter(range(3)), 3) as ready:
        time.sleep(0.1)
        list(ready)
    assert ready.wait_seconds < 0.05


def test_leaving_early_ends_the_thread():
    def endless():
        while True:
            yield 0

    with Prefetched(endless(), 2) as items:
        next(items)
    assert not any(thread.name == "prefetch" for thread in threading.enumerate())
