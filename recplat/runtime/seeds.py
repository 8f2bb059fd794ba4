"""Random numbers that depend on names and positions, never on how many ranks there are."""

from typing import Any

import torch

from recplat.nn import seed_of as nn_seed_of
from recplat.plan.types import TablePlan

#: Rows that one generator fills. A rank whose shard begins inside such a block draws the whole block.
BLOCK_ROWS = 4096


def seed_of(seed: int, *names: object) -> int:
    """63 bits from the job's seed and what is being seeded."""
    return nn_seed_of(seed, "/".join(map(str, names)))


def seed_draws(device: torch.device, seed: int) -> None:
    """Seed the generator of one device; `torch.manual_seed` asks after all kinds of device, which takes 0.1 ms."""
    if device.type == "cuda":
        torch.cuda.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


@torch.no_grad()
def fill_table(weight_RC: torch.Tensor, table: TablePlan, row_offset: int, seed: int, fill: Any, options: Any) -> None:
    """Set the initial weights of rows `row_offset : row_offset + R` of a table.

    R: rows here, C: the table's storage width. Columns beyond the embedding, which are the first-order weight and
    padding, become 0.

    Args:
        fill: `fill` of the initializer's `impl.py`.
        options: the initializer's options.
    """
    assert table.num_rows is not None
    weight_RC[:, table.dim :] = 0
    end = row_offset + len(weight_RC)
    for block in range(row_offset // BLOCK_ROWS, -(-end // BLOCK_ROWS)):
        start = block * BLOCK_ROWS
        rows_RD = torch.empty(min(BLOCK_ROWS, table.num_rows - start), table.dim)
        fill(options, rows_RD, torch.Generator().manual_seed(seed_of(seed, "table", table.name, block)))
        first, last = max(start, row_offset), min(start + len(rows_RD), end)
        weight_RC[first - row_offset : last - row_offset, : table.dim] = rows_RD[first - start : last - start]
