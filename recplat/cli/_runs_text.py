"""Lists, details and comparisons of runs as text."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recplat.cli._comparison import Comparison
from recplat.cli._known_runs import Details
from recplat.cli._run_text import metrics_text, next_commands, number
from recplat.cli._table import columns, facts
from recplat.lang.units import format_bytes, format_seconds
from recplat.tracking.record import Record
from recplat.tracking.spec_changes import list_and_name, names_in

_KEY_METRICS = ("auc", "logloss")
_MAX_VALUE = 40
_MAX_NAMES = 12
PARTS = ("eval", "test")
#: Fields that tell runs of one job apart most often.
_FIELDS_THAT_MATTER = ("spec.model.", "spec.train.", "spec.resources.", "spec.data.split.")


def list_text(records: Sequence[Record]) -> str:
    rows = [["run", "name", "status", "part", *_KEY_METRICS, "samples/s", "time", "started"]]
    for record in records:
        part = "test" if any(name.startswith("test/") for name in record.metrics) else "eval"
        figures = [number(record.metrics.get(f"{part}/{name}")) for name in _KEY_METRICS]
        speed = number(record.metrics.get("perf/samples_per_second"))
        known = part if figures != ["-"] * len(figures) else "-"
        rows.append([record.run_id, record.name, _status(record), known, *figures, speed, _time(record), _when(record)])
    return columns(rows, right=(4, 5, 6, 7))


def show_text(details: Details) -> str:
    record = details.record
    pairs = [("status", record.status), ("started", _when(record)), ("time", _time(record))]
    pairs += [
        (name, value)
        for name, value in (
            ("model", _model(details.fields)),
            ("error", record.error),
            ("gates", record.gates),
            ("spec", record.spec_file),
            ("git", record.git_revision),
        )
        if value
    ]
    sections = [
        f"run {record.run_id}  {record.name}",
        facts(pairs),
        metrics_text(_by_part(record.metrics)),
        facts(figures) if (figures := _other_figures(record.metrics)) else "",
        _section("spec", _matter(details.fields)),
        _section("plan", _plan_pairs(details.plan)) if details.plan else "",
        "files\n" + "\n".join(f"  {_short(file)}" for file in details.files) if details.files else "",
        next_commands(record.run_id, record.tracking_uri),
    ]
    return "\n\n".join(section for section in sections if section)


def comparison_text(comparison: Comparison) -> str:
    a, b = comparison.a, comparison.b
    heads = [["", "A", "B"], ["run", a.run_id, b.run_id], ["name", a.name, b.name], ["status", a.status, b.status]]
    metrics = [["metric", "A", "B", "B - A", "%"]]
    for pair in comparison.metrics:
        share = "-" if pair.difference is None or not pair.a else f"{pair.difference / abs(pair.a):+.2%}"
        metrics.append([pair.name, number(pair.a), number(pair.b), _signed(pair.difference), share])
    return "\n\n".join((columns(heads), columns(metrics, right=(1, 2, 3, 4)), _differences(comparison)))


def _differences(comparison: Comparison) -> str:
    """Fields side by side; a feature or table that one run lacks is told by its name alone."""
    if not comparison.fields:
        return "The specs are the same."
    sides = (("A", comparison.only_a), ("B", comparison.only_b))
    names = [f"only in {side}: {kind} {', '.join(only[kind])}" for side, only in sides for kind in only if only[kind]]
    told = {(kind, name) for _, only in sides for kind in only for name in only[kind]}
    fields = [
        [pair.path, _cut(pair.a), _cut(pair.b)] for pair in comparison.fields if list_and_name(pair.path) not in told
    ]
    table = columns([["field", "A", "B"], *fields]) if fields else ""
    return "\n\n".join(section for section in ("\n".join(names), table) if section)


def _model(fields: Mapping[str, str]) -> str | None:
    """The model and its features, such as `dlrm of user, item, age`."""
    names, model = names_in(fields, "features"), fields.get("spec.model.type")
    if model is None or not names:
        return model
    rest = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return f"{model} of {', '.join(names[:_MAX_NAMES])}{rest}"


def _signed(value: float | None) -> str:
    return number(value) if value is None or value < 0 else f"+{number(value)}"


def _by_part(metrics: Mapping[str, float | None]) -> dict[str, dict[str, float | None]]:
    parts: dict[str, dict[str, float | None]] = {}
    for name, value in metrics.items():
        part, _, metric = name.partition("/")
        if part in PARTS:
            parts.setdefault(part, {})[metric] = value
    return parts


def _other_figures(metrics: Mapping[str, float | None]) -> list[tuple[str, str]]:
    return [(name, number(value)) for name, value in metrics.items() if name.partition("/")[0] not in PARTS]


def _matter(fields: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(path, _cut(value)) for path, value in fields.items() if path.startswith(_FIELDS_THAT_MATTER)]


def _plan_pairs(plan: Mapping[str, Any]) -> list[tuple[str, str]]:
    device, tables = plan["device"], plan["tables"]
    num_bytes = sum(table["weight_bytes"] + table["state_bytes"] for table in tables)
    active = [toggle["name"] for toggle in plan["toggles"] if toggle["active"]]
    return [
        ("digest", plan["digest"][:12]),
        ("device", f"{device['type']}, {device['num_ranks']} ranks"),
        ("tables", f"{len(tables)}, {sum(table['num_rows'] for table in tables):,} rows, {format_bytes(num_bytes)}"),
        ("dense", f"{plan['model']['num_parameters']:,} parameters"),
        ("active", ", ".join(active) or "no optimisation"),
    ]


def _section(title: str, pairs: Sequence[tuple[str, str]]) -> str:
    if not pairs:
        return ""
    return f"{title}\n" + "\n".join(f"  {line}" for line in facts(pairs).splitlines())


def _cut(value: str | None) -> str:
    if value is None:
        return "-"
    return value if len(value) <= _MAX_VALUE else value[: _MAX_VALUE - 1] + "…"


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _status(record: Record) -> str:
    return f"{record.status}, gate missed" if (record.gates or "").startswith("missed") else record.status


def _time(record: Record) -> str:
    return "-" if record.seconds is None else format_seconds(record.seconds)


def _when(record: Record) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
