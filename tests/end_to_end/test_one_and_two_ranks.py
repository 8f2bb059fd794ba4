"""The number of ranks changes where the work is done, and nothing of the result."""

import pytest
import torch

from tests.end_to_end.checkpoints import last_checkpoint, read_checkpoint
from tests.end_to_end.project_builder import BATCH_SIZE


def test_the_last_batch_is_ragged(one_rank):
    num_rows = one_rank.read("plan.json")["data"]["num_train_rows"]
    assert num_rows % BATCH_SIZE % 2 == 1  # two ranks get unequal parts of it


def test_the_summary_has_the_same_keys_and_the_same_metrics(one_rank, two_ranks):
    one, two = one_rank.read("result.json"), two_ranks.read("result.json")
    assert one.keys() == two.keys()
    assert (one["step"], one["num_rows"], one["best_step"]) == (two["step"], two["num_rows"], two["best_step"])
    for part in ("eval", "test"):
        assert one["metrics"][part] == pytest.approx(two["metrics"][part], abs=1e-4)


def test_losses_are_the_same_at_each_evaluation(one_rank, two_ranks):
    one, two = ([line for line in run.done.err.splitlines() if "eval at" in line] for run in (one_rank, two_ranks))
    assert len(one) == 3
    for line_one, line_two in zip(one, two, strict=True):
        figures_one, figures_two = ([w for w in line.split() if "." in w] for line in (line_one, line_two))
        assert [float(w) for w in figures_one] == pytest.approx([float(w) for w in figures_two], abs=2e-4)


@pytest.mark.parametrize("ranks", ["one_rank", "two_ranks"])
def test_the_plan_places_every_row_once(ranks, request):
    plan = request.getfixturevalue(ranks).read("plan.json")
    assert len(plan["tables"]) == 4
    for table in plan["tables"]:
        cells = torch.zeros(table["num_rows"], table["storage_dim"], dtype=torch.int32)
        for shard in table["shards"]:
            assert shard["rank"] < plan["device"]["num_ranks"]
            rows = slice(shard["row_offset"], shard["row_offset"] + shard["num_rows"])
            cells[rows, shard["column_offset"] : shard["column_offset"] + shard["num_columns"]] += 1
        copies = plan["device"]["num_ranks"] if table["sharding"] == "data_parallel" else 1
        assert (cells == copies).all(), table["name"]


def test_weights_and_optimiser_state_are_the_same(one_rank, two_ranks):
    one, two = (read_checkpoint(last_checkpoint(run.folder)) for run in (one_rank, two_ranks))
    assert one.keys() == two.keys()
    assert {"tables/user_id/weight", "tables/genres/weight"} <= one.keys()
    for name, tensor in one.items():
        torch.testing.assert_close(
            tensor, two[name], atol=1e-5, rtol=1e-5, msg=lambda text, name=name: f"{name}: {text}"
        )
