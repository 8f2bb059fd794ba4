"""Whether torch imports and fbgemm looks up a row, found out in a child process: a wrong set may crash or hang."""

import subprocess
import sys
import time

from msgspec import Struct

TIMEOUT_S = 180

# Text, not a module: it runs torch, which no module outside `runtime` may import, and needs nothing of recplat.
_PROGRAM = """
import torch, fbgemm_gpu
from fbgemm_gpu.split_embedding_configs import EmbOptimType
from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation
from fbgemm_gpu.split_table_batched_embeddings_ops_training import ComputeDevice, SplitTableBatchedEmbeddingBagsCodegen

on_gpu = {on_gpu!r} and torch.cuda.is_available()
device = torch.device("cuda" if on_gpu else "cpu")
table = SplitTableBatchedEmbeddingBagsCodegen(
    [(4, 8, EmbeddingLocation.DEVICE if on_gpu else EmbeddingLocation.HOST,
      ComputeDevice.CUDA if on_gpu else ComputeDevice.CPU)],
    optimizer=EmbOptimType.EXACT_ROWWISE_ADAGRAD, learning_rate=0.1, device=device,
)
weights = table.split_embedding_weights()[0]
weights.copy_(torch.arange(32.0).reshape(4, 8))
pooled = table(torch.tensor([1, 3], device=device), torch.tensor([0, 2], device=device))
expected = weights[1] + weights[3]
assert torch.equal(pooled[0], expected), (pooled, expected)
pooled.sum().backward()
print("device", device.type)
"""


class Probe(Struct, frozen=True, kw_only=True):
    """One lookup and one update of a table of 4 rows."""

    succeeded: bool
    device: str | None  # where it ran
    seconds: float  # import and lookup together
    timed_out: bool
    error: str  # the last lines of what the child said


def probe_lookup(executable: str = sys.executable, *, on_gpu: bool = True, timeout_s: float = TIMEOUT_S) -> Probe:
    """Run the lookup, on the GPU where torch finds one and `on_gpu` allows it."""
    command = [executable, "-c", _PROGRAM.format(on_gpu=on_gpu)]
    start = time.monotonic()
    try:
        # stdin closed: nothing a broken library does may wait for a key.
        child = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Probe(succeeded=False, device=None, seconds=timeout_s, timed_out=True, error="")
    seconds = round(time.monotonic() - start, 1)
    words = child.stdout.split()
    if child.returncode == 0 and words[-2:-1] == ["device"]:
        return Probe(succeeded=True, device=words[-1], seconds=seconds, timed_out=False, error="")
    said = child.stderr.strip().splitlines()[-5:] or [f"ended with exit code {child.returncode} and no message"]
    return Probe(succeeded=False, device=None, seconds=seconds, timed_out=False, error="\n".join(said))
