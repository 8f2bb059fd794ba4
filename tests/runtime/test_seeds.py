"""Initial weights depend on the seed, the table's name and the row: not on where the row lies."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from recplat.catalog import builtin_catalog  # noqa: E402
from recplat.runtime import seeds  # noqa: E402
from recplat.runtime.seeds import BLOCK_ROWS, fill_table  # noqa: E402
from tests.runtime.jobs import make_plan  # noqa: E402

ROWS = 2 * BLOCK_ROWS + 100


def filled(
    row_offset: int, num_rows: int, *, seed: int = 0, name: str = "user", kind: str = "normal", **options: Any
) -> Any:
    [table, *_] = make_plan(f"spec.tables=[{{name: user, rows: {ROWS}}}]").tables
    table = type(table)(**{field: getattr(table, field) for field in table.__struct_fields__} | {"name": name})
    made = builtin_catalog().options("initializers", kind)(**options)
    weight_RC = torch.full((num_rows, table.storage_dim), 7.0)
    fill_table(weight_RC, table, row_offset, seed, builtin_catalog().implementation(made, "impl").fill, made)
    return weight_RC


@pytest.mark.parametrize(
    ("row_offset", "num_rows"),
    [(0, 1), (5, 10), (BLOCK_ROWS - 1, 2), (BLOCK_ROWS, BLOCK_ROWS), (ROWS - 150, 150), (10, 2 * BLOCK_ROWS)],
)
def test_a_shard_holds_the_rows_of_the_whole_table(row_offset: int, num_rows: int) -> None:
    whole = filled(0, ROWS)
    assert torch.equal(filled(row_offset, num_rows), whole[row_offset : row_offset + num_rows])


def test_an_empty_shard_is_left_alone() -> None:
    assert filled(ROWS, 0).shape[0] == 0


def test_seed_and_name_make_a_difference() -> None:
    assert not torch.equal(filled(0, 10), filled(0, 10, seed=1))
    assert not torch.equal(filled(0, 10), filled(0, 10, name="item"))


def test_first_order_weights_and_padding_are_zero() -> None:
    weight_RC = filled(0, 10)
    assert weight_RC[:, :8].all()
    assert not weight_RC[:, 8:].any()


def test_normal_and_uniform_have_the_spread_that_is_asked_for() -> None:
    normal = filled(0, ROWS, std=0.5)[:, :8]
    assert float(normal.std()) == pytest.approx(0.5, rel=0.02)
    assert abs(float(normal.mean())) < 0.01
    uniform = filled(0, ROWS, kind="uniform", bound=0.2)[:, :8]
    assert float(uniform.abs().max()) <= 0.2
    assert float(uniform.std()) == pytest.approx(0.2 / 3**0.5, rel=0.02)


def test_draws_of_a_step_repeat_with_its_seed() -> None:
    draws = []
    for seed in (3, 3, 4):
        seeds.seed_draws(torch.device("cpu"), seed)
        draws.append(torch.rand(4))
    assert torch.equal(draws[0], draws[1])
    assert not torch.equal(draws[0], draws[2])
