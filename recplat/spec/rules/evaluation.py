"""Rules about metrics, the best checkpoint and gates."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic, nearest
from recplat.lang.kinds import Metric
from recplat.spec.gates import GateError, parse_gate
from recplat.spec.rules.base import Context, rule
from recplat.spec.synonyms import NAMES
from recplat.spec.types import Data, SplitColumn


@rule("evaluate.metrics")
def metrics_differ(context: Context) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for index, metric in enumerate(context.spec.evaluate.metrics):
        if metric.metric_name() in seen:
            yield context.problem(
                "duplicate-name",
                ("evaluate", "metrics", index),
                f"the metric `{metric.metric_name()}` is listed twice",
                help="remove one of them",
            )
        seen.add(metric.metric_name())
        yield from context.faults_of(metric, "evaluate", "metrics", index)


@rule("evaluate.metrics", "data.label.column")
def groups_have_both_classes(context: Context) -> Iterator[Diagnostic]:
    label = context.spec.data.label.column
    for index, metric in enumerate(context.spec.evaluate.metrics):
        if metric.group_column() == label:
            yield context.problem(
                "group-by-label",
                ("evaluate", "metrics", index),
                f"`{metric.metric_name()}` groups rows by `{label}`, the label: no group has rows of both classes",
                help="group by another column, for instance that of the user",
                related=context.related("the label", "data", "label", "column"),
            )


@rule("evaluate.best")
def best_can_be_chosen(context: Context) -> Iterator[Diagnostic]:
    best, metrics = context.spec.evaluate.best, _metrics(context)
    if best not in metrics and _may_be_measured(context, best):
        return
    usable = [name for name, metric in metrics.items() if metric.higher_is_better is not None]
    if best not in metrics and not context.is_written("evaluate", "best"):
        choice = f"add `best: {usable[0]}`, or list" if usable else "list"
        yield context.problem(
            "unknown-metric",
            ("evaluate", "metrics"),
            f"the best checkpoint is chosen by `{best}`, unless `best` says otherwise, and `{best}` is not measured",
            help=f"{choice} `{best}` in `evaluate.metrics` too",
        )
    elif best not in metrics:
        yield _unknown_metric(context, ("evaluate", "best"), best)
    elif best not in usable:
        yield context.problem(
            "metric-without-direction",
            ("evaluate", "best"),
            f"`{best}` can't choose the best checkpoint: neither higher nor lower is better",
            help=f"choose one of {', '.join(usable)}",
        )


@rule("evaluate.gates")
def gates_are_understood(context: Context) -> Iterator[Diagnostic]:
    for index, text in enumerate(context.spec.evaluate.gates):
        steps = ("evaluate", "gates", index)
        try:
            gate = parse_gate(text)
        except GateError as error:
            yield context.problem(
                "bad-gate",
                steps,
                f"`{text}` is no gate: {error}",
                help='write a metric, one of `>=` `<=` `>` `<`, and a number, for instance `"auc >= 0.78"`',
            )
            continue
        if gate.metric not in _metrics(context) and not _may_be_measured(context, gate.metric):
            yield _unknown_metric(context, steps, gate.metric)


@rule("evaluate.gates", whole=("data",))
def gates_have_rows(context: Context) -> Iterator[Diagnostic]:
    if context.spec.evaluate.gates and not _has_part(context.spec.data, "test"):
        yield context.problem(
            "gate-without-test",
            ("evaluate", "gates"),
            "gates are about test rows, and this spec has none",
            help="list values for `test:` in the split"
            if isinstance(context.spec.data.split, SplitColumn)
            else "add a third fraction to `data.split`, or `data.test`",
        )


@rule("train.early_stop", "evaluate.every_steps", whole=("data",))
def evaluation_has_rows(context: Context) -> Iterator[Diagnostic]:
    if _has_part(context.spec.data, "eval"):
        return
    if context.spec.train.early_stop is not None:
        yield context.problem(
            "early-stop-without-eval",
            ("train", "early_stop"),
            "early stopping looks at evaluation rows, and this spec has none",
            help="add `data.eval`, or remove `early_stop`",
        )
    if context.spec.evaluate.every_steps is not None:
        yield context.problem(
            "evaluate-without-eval",
            ("evaluate", "every_steps"),
            "there are no evaluation rows to look at",
            help="add `data.eval`, or remove `every_steps`",
        )


def _has_part(data: Data, part: str) -> bool:
    fractions = getattr(data.split, "fractions", None)
    if fractions is not None:
        return part == "eval" or len(fractions) == 3
    if data.split is not None:
        return bool(getattr(data.split, part))
    return getattr(data, part) is not None


def _metrics(context: Context) -> dict[str, Metric]:
    return {metric.metric_name(): metric for metric in context.spec.evaluate.metrics}


def _may_be_measured(context: Context, name: str) -> bool:
    """Whether one of the metrics that could not be read may be of that name."""
    if context.is_whole("evaluate", "metrics"):
        return False
    folders = context.catalog.names("metrics")
    return context.catalog.has_own_folders() or any(f"{name}_".startswith(f"{folder}_") for folder in folders)


def _unknown_metric(context: Context, steps: tuple[str | int, ...], name: str) -> Diagnostic:
    names = list(_metrics(context))
    known = f"`evaluate.metrics` lists {', '.join(names)}"
    if not context.is_whole("evaluate", "metrics"):
        names, known = list(context.catalog.names("metrics")), "`evaluate.metrics` lists what is measured"
    close = nearest(name, names) or (meant if (meant := NAMES.get(name)) in names else None)
    return context.problem(
        "unknown-metric",
        steps,
        f"the metric `{name}` is not measured",
        help=f"did you mean `{close}`? {known}" if close else f"{known}; choose one of them, or add a metric there",
    )


RULES = (
    metrics_differ,
    groups_have_both_classes,
    best_can_be_chosen,
    gates_are_understood,
    gates_have_rows,
    evaluation_has_rows,
)
