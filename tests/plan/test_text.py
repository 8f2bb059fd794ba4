from recplat.plan.text import render_plan
from tests.plan.conftest import cpu


def test_the_plan_shows_tables_memory_and_toggles(compiled):
    text = render_plan(compiled(device=cpu(2)).plan)
    assert "tiny: deepfm on cpu, 2 ranks" in text
    assert "vocabulary" in text
    assert "rank 1" in text
    assert "precision" in text


def test_unknown_rows_show_as_a_question_mark(compiled):
    text = render_plan(compiled(num_users=None).plan)
    [line] = [line for line in text.splitlines() if line.strip().startswith("user_id")]
    assert "?" in line
    assert "1 table of unknown rows left out" in text


def test_lines_stay_within_a_wide_terminal(compiled):
    assert max(map(len, render_plan(compiled(device=cpu(2)).plan).splitlines())) <= 120


def test_many_ranks_are_written_as_ranges(compiled):
    text = render_plan(compiled("spec.sharding.tables.item_id={type: row_wise}", device=cpu(4)).plan)
    assert "0-3" in text


def test_ranks_that_hold_the_same_share_a_line(compiled):
    text = render_plan(compiled(device=cpu(64)).plan)
    assert "64 ranks, 1 CPU each" in text
    lines = [line for line in text.splitlines() if line.strip().startswith("rank ")]
    assert [line.split()[1] for line in lines] == ["0", "1", "2-63"]
