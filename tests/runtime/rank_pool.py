"""Two processes that live as long as the tests and run test functions as ranks of a gloo group.

Importing torch and TorchRec takes ten seconds, so no test starts processes of its own.
"""

import atexit
import functools
import multiprocessing
import os
import socket
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

NUM_PROCESSES = 2


class RankPool:
    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes = []
        for _ in range(NUM_PROCESSES):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def run(
        self, function: Callable[..., Any], /, world_size: int = 1, timeout_s: float = 90, **arguments: Any
    ) -> list[Any]:
        """Call `function(ranks, **arguments)` on each rank; the results by rank.

        `function` belongs to a test module. A rank that fails or is silent ends the pool; the next test starts anew.
        """
        port = _free_port()
        for rank in range(world_size):
            self._pipes[rank].send((function, rank, world_size, port, arguments))
        results: dict[int, Any] = {}
        deadline = time.monotonic() + timeout_s
        while len(results) < world_size:
            waiting = {self._pipes[rank]: rank for rank in range(world_size) if rank not in results}
            ready = wait(list(waiting), timeout=max(deadline - time.monotonic(), 0))
            if not ready:
                self.stop()
                raise TimeoutError(f"{function.__name__}: ranks {list(waiting.values())} are silent for {timeout_s} s")
            for pipe in ready:
                value, error = pipe.recv()
                if error is not None:
                    self.stop()  # the other rank may wait for this one for ever
                    raise AssertionError(f"rank {waiting[pipe]}: {error}")
                results[waiting[pipe]] = value
        return [results[rank] for rank in range(world_size)]

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.join()
        shared_pool.cache_clear()


@functools.cache
def shared_pool() -> RankPool:
    pool = RankPool()
    atexit.register(pool.stop)
    return pool


def _serve(pipe: Connection) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch
    import torch.distributed as dist
    from torchrec.distributed import collective_utils

    from recplat.runtime.ranks import join_ranks

    torch.set_num_threads(1)
    while True:
        try:
            function, rank, world_size, port, arguments = pipe.recv()
        except EOFError:
            return
        os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(world_size)}
        os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        # TorchRec exchanges a setting once in a process's life; here lives differ in what they took part in.
        collective_utils._INITIALIZED = False
        try:
            ranks = join_ranks("cpu")
            pipe.send((function(ranks, **arguments), None))
        except BaseException:
            pipe.send((None, traceback.format_exc()))
        finally:
            if dist.is_initialized():
                dist.destroy_process_group()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
