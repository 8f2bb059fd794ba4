import msgspec
import pytest

from recplat.catalog import builtin_catalog
from recplat.diagnostics import Problems
from recplat.plan import PlanFormatError, decode_plan, encode_plan
from recplat.plan.memory import memory_by_rank
from tests.plan.conftest import cpu

KIB = 1024


def table(plan, name):
    return next(each for each in plan.tables if each.name == name)


def test_rows_come_from_the_vocabulary_and_the_hash(compiled):
    plan = compiled().plan
    assert table(plan, "user_id").num_rows == 502  # two are reserved for missing and unknown
    assert table(plan, "user_id").rows_source == "vocabulary"
    assert table(plan, "item_id").num_rows == 1000


def test_without_statistics_rows_stay_unknown_and_a_warning_tells_how_to_get_them(compiled):
    result = compiled(num_users=None)
    assert table(result.plan, "user_id").num_rows is None
    assert table(result.plan, "item_id").num_rows == 1000
    [warning] = result.warnings
    assert (warning.code, warning.severity) == ("rows-unknown", "warning")
    assert "`user_id`" in warning.message
    assert "recplat data stats" in warning.help


def test_rows_given_in_the_spec_leave_room_to_grow(compiled):
    assert table(compiled("spec.tables=[{name: user_id, rows: 600}]").plan, "user_id").num_rows == 600


def test_fewer_rows_than_the_training_data_has_values_is_refused_with_numbers(compiled):
    with pytest.raises(Problems) as caught:
        compiled("spec.tables=[{name: user_id, rows: 100}]")
    [problem] = caught.value.diagnostics
    assert problem.code == "table-rows-too-few"
    assert problem.path == "spec.tables.user_id.rows"
    assert "100" in problem.message
    assert "502" in problem.message


def test_linear_terms_widen_the_rows_to_a_multiple_of_four_columns(compiled):
    assert table(compiled().plan, "item_id").storage_dim == 12  # 8, a first-order weight, padding
    assert table(compiled("spec.model.type=dcn_v2").plan, "item_id").storage_dim == 8


def test_bytes_are_those_of_weights_and_row_wise_state(compiled):
    item = table(compiled().plan, "item_id")
    assert item.weight_bytes == 1000 * 12 * 4
    assert item.state_bytes == 1000 * 4


def test_half_precision_tables_take_half_the_bytes(compiled):
    item = table(compiled("spec.tables=[{name: item_id, dtype: fp16}]").plan, "item_id")
    assert item.weight_bytes == 1000 * 12 * 2


def test_adam_on_the_cpu_uses_the_dense_kernel_and_says_why(compiled):
    item = table(compiled("spec.train.embedding_optimizer=adam").plan, "item_id")
    assert item.kernel == "dense"
    assert "CPU" in item.kernel_reason


def test_tables_are_spread_by_bytes_the_largest_first(compiled):
    plan = compiled(device=cpu(2)).plan
    assert [shard.rank for shard in table(plan, "item_id").shards] == [0]
    assert [shard.rank for shard in table(plan, "user_id").shards] == [1]


def test_constraints_are_kept(compiled):
    plan = compiled(
        "spec.resources.ranks_per_node=2",
        "spec.sharding.tables.item_id={type: row_wise}",
        "spec.sharding.tables.user_id={type: table_wise, rank: 1}",
        device=cpu(2),
    ).plan
    assert [shard.num_rows for shard in table(plan, "item_id").shards] == [500, 500]
    assert [shard.rank for shard in table(plan, "user_id").shards] == [1]


def test_data_parallel_takes_the_dense_kernel_and_says_so(compiled):
    item = table(compiled("spec.sharding.tables.item_id={type: data_parallel}", device=cpu(2)).plan, "item_id")
    assert (item.kernel, item.optimizer) == ("dense", "row_wise_adagrad")
    assert "data_parallel" in item.kernel_reason
    assert [(shard.rank, shard.num_rows) for shard in item.shards] == [(0, 1000), (1, 1000)]


def test_half_precision_does_not_go_with_a_dense_kernel(compiled):
    with pytest.raises(Problems) as caught:
        compiled(
            "spec.sharding.tables.item_id={type: data_parallel}",
            "spec.tables=[{name: item_id, dtype: fp16}]",
            device=cpu(2),
        )
    [problem] = caught.value.diagnostics
    assert problem.code == "dense-kernel-needs-fp32"
    assert problem.path == "spec.sharding.tables.item_id.type"


def test_row_wise_that_leaves_a_rank_without_rows_is_refused(compiled):
    with pytest.raises(Problems) as caught:
        compiled("spec.sharding.tables.user_id={type: row_wise}", device=cpu(4), num_users=3)
    [problem] = caught.value.diagnostics
    assert problem.code == "shard-without-rows"
    assert "5 rows" in problem.message  # 4 ranks take 2 rows each: the last gets none
    assert "table_wise" in problem.help


def test_a_table_larger_than_a_rank_is_divided_by_rows(compiled):
    settings = ("spec.train.batch_size=2", "spec.tables=[{name: item_id, rows: 40000}]")  # 2,080,000 bytes
    assert (
        table(compiled(*settings, device=cpu(2), memory_per_rank=4096 * KIB).plan, "item_id").sharding == "table_wise"
    )
    assert table(compiled(*settings, device=cpu(2), memory_per_rank=1900 * KIB).plan, "item_id").sharding == "row_wise"


def test_what_fits_nowhere_says_what_is_missing_and_what_helps(compiled):
    with pytest.raises(Problems) as caught:
        compiled("spec.sharding.tables.item_id={type: table_wise}", device=cpu(2), memory_per_rank=100 * KIB)
    [problem] = caught.value.diagnostics
    assert problem.code == "shard-does-not-fit"
    assert problem.path == "spec.sharding.tables.item_id.type"
    assert "`row_wise`" in problem.help


def test_a_rank_that_others_fill_says_what_it_needs_in_all(compiled):
    with pytest.raises(Problems) as caught:
        compiled(device=cpu(1), memory_per_rank=30 * KIB)
    [problem] = caught.value.diagnostics
    assert problem.path == "spec.tables.item_id"
    assert "and has 30 KiB" in problem.message


def test_every_row_and_column_is_placed_exactly_once(compiled):
    for ranks in (1, 2, 3, 7):
        plan = compiled("spec.sharding.tables.item_id={type: row_wise}", device=cpu(ranks)).plan
        for each in plan.tables:
            assert sum(shard.num_rows * shard.num_columns for shard in each.shards) == each.num_rows * each.storage_dim


def test_memory_adds_up_to_the_tables(compiled):
    plan = compiled(device=cpu(3)).plan
    assert sum(rank.weights for rank in plan.memory) == sum(each.weight_bytes for each in plan.tables)
    assert sum(rank.optimizer_state for rank in plan.memory) == sum(each.state_bytes for each in plan.tables)


def test_the_dense_kernel_needs_room_for_a_gradient_of_the_whole_table(compiled):
    fused, dense = (
        compiled(f"spec.train.embedding_optimizer={{type: {name}}}").plan for name in ("row_wise_adagrad", "adam")
    )
    more = sum(rank.activations for rank in dense.memory) - sum(rank.activations for rank in fused.memory)
    assert more == sum(each.weight_bytes for each in dense.tables)


def test_inputs_grow_with_the_length_of_lists(compiled):
    plan = compiled("spec.train.batch_size=100").plan
    long = tuple(msgspec.structs.replace(each, mean_length=9.5) for each in plan.features)
    [memory] = memory_by_rank(plan.tables, long, 0, plan.model.inputs, 100, plan.device)
    assert (plan.memory[0].inputs, memory.inputs) == (2 * 8 * 100 * 3, 2 * 8 * 100 * 28.5)


def test_steps_follow_from_rows_batches_and_epochs(compiled):
    data = compiled("spec.train.batch_size=300", "spec.train.epochs=2").plan.data
    assert (data.steps_per_epoch, data.num_steps) == (4, 8)
    assert compiled("spec.train.max_steps=5").plan.data.num_steps == 1
    assert compiled("spec.train.max_steps=5", num_users=None).plan.data.num_steps == 5


def test_a_toggle_asked_for_where_it_cannot_act_is_an_error(compiled):
    with pytest.raises(Problems) as caught:
        compiled("spec.optimizations.precision=fp16")
    [problem] = caught.value.diagnostics
    assert problem.code == "toggle-unavailable"
    assert problem.path == "spec.optimizations.precision"


def test_every_toggle_says_why_it_is_on_or_off(compiled):
    plan = compiled().plan
    assert [toggle.name for toggle in plan.toggles] == sorted(builtin_catalog().names("toggles"))
    assert all(toggle.reason for toggle in plan.toggles)


def test_the_same_input_gives_the_same_bytes(compiled):
    assert encode_plan(compiled().plan) == encode_plan(compiled().plan)


def test_a_plan_survives_the_way_through_bytes(compiled):
    plan = compiled(device=cpu(2)).plan
    assert decode_plan(encode_plan(plan), builtin_catalog()) == plan


def test_a_plan_changed_by_hand_is_refused(compiled):
    data = encode_plan(compiled().plan).replace(b'"num_rows": 1000', b'"num_rows": 1001', 1)
    with pytest.raises(PlanFormatError, match="changed after it was written"):
        decode_plan(data, builtin_catalog())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"format": 99}', b"\xff\xfe"])
def test_what_is_no_plan_is_refused(data):
    with pytest.raises(PlanFormatError):
        decode_plan(data, builtin_catalog())


def test_the_spec_digest_covers_training_and_not_names_or_tracking(compiled):
    plain = compiled().plan.spec_digest
    assert compiled("metadata.name=other", "spec.tracking.experiment=x").plan.spec_digest == plain
    assert compiled("spec.train.epochs=2").plan.spec_digest != plain
