"""A plan as text for a terminal."""

import textwrap
from collections.abc import Iterable

import msgspec

from recplat.lang.units import format_bytes
from recplat.plan.types import Plan, RankMemory, TablePlan

_MAX_TABLES = 40
_BAR_WIDTH = 40
_LINE_WIDTH = 110


def render_plan(plan: Plan) -> str:
    """All that a reviewer needs: device, data, tables, memory, toggles; made for a terminal of 110 columns."""
    sections = [_heading(plan), _data(plan), _tables(plan), _memory(plan), _toggles(plan)]
    return "\n\n".join("\n".join(section) for section in sections if section)


def _heading(plan: Plan) -> list[str]:
    spec = plan.job.spec
    name, device = plan.job.metadata.name, plan.device
    ranks = f"{_count(device.num_ranks, 'rank')}, {_count(device.cpus_per_rank, 'CPU')} each"
    return [
        f"{name}: {plan.model.type} on {device.type}, {ranks}",
        f"  plan {plan.digest[:12]}  spec {plan.spec_digest[:12]}  "
        f"statistics {plan.statistics_digest[:12] if plan.statistics_digest else 'none yet'}",
        f"  dense part: {plan.model.num_parameters:,} parameters, {plan.model.flops_per_sample / 1e6:.3g} MFLOP a row; "
        f"optimiser {spec.train.dense_optimizer.__struct_config__.tag}",  # type: ignore[attr-defined]
    ]


def _data(plan: Plan) -> list[str]:
    data = plan.data
    rows = ", ".join(
        f"{name} {count:,}"
        for name, count in (
            ("train", data.num_train_rows),
            ("eval", data.num_eval_rows),
            ("test", data.num_test_rows),
        )
        if count is not None
    )
    steps = _count(data.num_steps, "step") if data.num_steps is not None else "steps not known yet"
    train = plan.job.spec.train
    return [
        f"data: {rows or 'rows not known yet'}",
        f"  batches of {_count(train.batch_size, 'row')}, {_count(train.epochs, 'epoch')}, {steps}",
    ]


def _tables(plan: Plan) -> list[str]:
    if not plan.tables:
        return ["tables: none"]
    rows: list[tuple[str, ...]] = [
        ("table", "rows", "dim", "type", "optimiser", "kernel", "sharding", "ranks", "bytes", "rows from")
    ]
    largest = sorted(plan.tables, key=lambda table: -(table.weight_bytes + table.state_bytes))
    shown = {table.name for table in largest[:_MAX_TABLES]}
    rows += [_table_row(table) for table in plan.tables if table.name in shown]
    lines = [f"tables: {len(plan.tables)}", *_columns(rows)]
    rest = largest[_MAX_TABLES:]
    if rest:
        size = format_bytes(sum(table.weight_bytes + table.state_bytes for table in rest))
        lines.append(f"  and {len(rest)} smaller ones, {size} in all; `-o json` lists them")
    reasons = {table.kernel_reason: table for table in plan.tables if table.kernel == "dense"}
    lines += [f"  {table.optimizer} uses the dense kernel: {reason}" for reason, table in reasons.items()]
    return lines


def _table_row(table: TablePlan) -> tuple[str, ...]:
    ranks = sorted({shard.rank for shard in table.shards if shard.num_rows})
    return (
        table.name,
        "?" if table.num_rows is None else f"{table.num_rows:,}",
        str(table.dim),
        table.dtype,
        f"{table.optimizer} {table.learning_rate:g}",
        table.kernel,
        table.sharding,
        _ranges(ranks),
        "?" if table.num_rows is None else format_bytes(table.weight_bytes + table.state_bytes),
        table.rows_source,
    )


def _memory(plan: Plan) -> list[str]:
    largest = max((rank.total for rank in plan.memory), default=0) or 1
    causes = "weights, optimiser state, dense part, activations, inputs"
    equal: dict[RankMemory, list[int]] = {}
    for rank in plan.memory:
        equal.setdefault(msgspec.structs.replace(rank, rank=0), []).append(rank.rank)
    names = [f"rank {_ranges(ranks)}" for ranks in equal.values()]
    width = max(map(len, names), default=0) + 1
    lines = (_memory_line(name.ljust(width), rank, largest) for name, rank in zip(names, equal, strict=True))
    unknown = sum(table.num_rows is None for table in plan.tables)
    left_out = f", {_count(unknown, 'table')} of unknown rows left out" if unknown else ""
    return [f"memory per rank ({causes}{left_out}):", *lines]


def _memory_line(name: str, rank: RankMemory, largest: int) -> str:
    parts = (rank.weights, rank.optimizer_state, rank.dense_parameters, rank.activations, rank.inputs)
    bar = ""
    for part, sign in zip(parts, "█▓▒░·", strict=True):
        bar += sign * round(part / largest * _BAR_WIDTH)
    listed = " + ".join(format_bytes(part) for part in parts)
    return f"  {name} {bar:<{_BAR_WIDTH}} {format_bytes(rank.total):>9} = {listed}"


def _toggles(plan: Plan) -> list[str]:
    rows = [
        (toggle.name, "on" if toggle.active else "off", toggle.mode, _settings(toggle.settings))
        for toggle in plan.toggles
    ]
    lines = _columns([("toggle", "", "asked", "settings"), *rows])
    reasons = ["because", *(toggle.reason for toggle in plan.toggles)]
    width = max(map(len, lines)) + 2
    return ["optimisations:", *(_hanging(line.ljust(width), text) for line, text in zip(lines, reasons, strict=True))]


def _hanging(start: str, text: str) -> str:
    """`start` and a text that goes on below itself."""
    room = max(_LINE_WIDTH - len(start), 30)
    return start + ("\n" + " " * len(start)).join(textwrap.wrap(text, room))


def _settings(settings: dict[str, object]) -> str:
    return ", ".join(f"{key}={value}" for key, value in settings.items() if value is not None)


def _columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    table = list(rows)
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return [
        ("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip() for row in table
    ]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _ranges(ranks: list[int]) -> str:
    """`0-3,7`."""
    parts: list[str] = []
    start = previous = None
    for rank in [*ranks, None]:
        if previous is not None and rank != previous + 1:
            parts.append(str(start) if start == previous else f"{start}-{previous}")
            start = rank
        elif previous is None:
            start = rank
        previous = rank
    return ",".join(parts)
