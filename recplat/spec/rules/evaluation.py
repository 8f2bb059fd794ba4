"""Rules about metrics, the best checkpoint and gates."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic, nearest
from recplat.lang.kinds import Metric
from recplat.spec.gates import GateError, parse_gate
from recplat.spec.rules.base import Context, rule
from recplat.spec.types import Data


@rule("evaluate")
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
        for fault in metric.faults():
            yield context.from_fault(fault, "evaluate", "metrics", index)


@rule("evaluate")
def best_can_be_chosen(context: Context) -> Iterator[Diagnostic]:
    best, metrics = context.spec.evaluate.best, _metrics(context)
    if best not in metrics:
        yield _unknown_metric(context, ("evaluate", "best"), best)
    elif metrics[best].higher_is_better is None:
        usable = [name for name, metric in metrics.items() if metric.higher_is_better is not None]
        yield context.problem(
            "metric-without-direction",
            ("evaluate", "best"),
            f"`{best}` can't choose the best checkpoint: neither higher nor lower is better",
            help=f"choose one of {', '.join(usable)}",
        )


@rule("evaluate.metrics", "evaluate.gates")
def gates_are_understood(context: Context) -> Iterator[Diagnostic]:
    for index, text in enumerate(context.spec.evaluate.gates):
        steps = ("evaluate", "gates", index)
        try:
            gate = parse_gate(text)
        except GateError as error:
            yield context.problem(
                "bad-gate",
                steps,
                f"the gate `{text}` is not understood: {error}",
                help='write a metric, a comparison and a number, for instance "auc >= 0.78"',
            )
            continue
        if gate.metric not in _metrics(context):
            yield _unknown_metric(context, steps, gate.metric)


@rule("evaluate.gates", "data.split", "data.test")
def gates_have_rows(context: Context) -> Iterator[Diagnostic]:
    if context.spec.evaluate.gates and not _has_part(context.spec.data, "test"):
        yield context.problem(
            "gate-without-test",
            ("evaluate", "gates"),
            "gates are about test rows, and this spec has none",
            help="add a third fraction to `data.split`, or `data.test`",
        )


@rule("train.early_stop", "evaluate.every_steps", "data.split", "data.eval")
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


def _unknown_metric(context: Context, steps: tuple[str | int, ...], name: str) -> Diagnostic:
    names = list(_metrics(context))
    close = nearest(name, names)
    known = f"`evaluate.metrics` lists {', '.join(names)}"
    return context.problem(
        "unknown-metric",
        steps,
        f"the metric `{name}` is not measured",
        help=f"did you mean `{close}`? {known}" if close else f"{known}; add it there",
    )


RULES = (metrics_differ, best_can_be_chosen, gates_are_understood, gates_have_rows, evaluation_has_rows)
