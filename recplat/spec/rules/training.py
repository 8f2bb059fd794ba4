"""Rules about how the model is trained."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.spec.rules.base import Context, rule

#: Steps of a run at which a schedule is looked at.
_NUM_SAMPLES = 1000


@rule("train")
def options_are_consistent(context: Context) -> Iterator[Diagnostic]:
    for name in ("dense_optimizer", "embedding_optimizer", "schedule"):
        yield from context.faults_of(getattr(context.spec.train, name), "train", name)


@rule("tables")
def options_of_tables_are_consistent(context: Context) -> Iterator[Diagnostic]:
    for index, table in enumerate(context.spec.tables):
        if table.optimizer is not None:
            yield from context.faults_of(table.optimizer, "tables", index, "optimizer")
        yield from context.faults_of(table.initializer, "tables", index, "initializer")


@rule("train.batch_size", "optimizations.grad_accumulation", whole=("resources",))
def every_rank_has_rows(context: Context) -> Iterator[Diagnostic]:
    batch_size, num_ranks = context.spec.train.batch_size, context.num_ranks
    toggle = context.spec.optimizations["grad_accumulation"]
    pieces = getattr(toggle, "steps", 1) if toggle.mode != "disabled" else 1
    if batch_size < num_ranks:
        yield context.problem(
            "batch-too-small",
            ("train", "batch_size"),
            f"{num_ranks:,} ranks can't share a batch of {batch_size:,} rows",
            help=f"`batch_size` counts rows over all ranks: write at least {num_ranks}",
        )
    elif batch_size < num_ranks * pieces:
        yield context.problem(
            "batch-too-small",
            ("train", "batch_size"),
            f"{num_ranks:,} ranks x {pieces:,} pieces can't share a batch of {batch_size:,} rows",
            help=f"write at least {num_ranks * pieces}, or fewer pieces in `grad_accumulation`",
            related=context.related("the batch is cut here", "optimizations", "grad_accumulation"),
        )


@rule("train.max_steps", whole=("train.schedule",))
def schedule_gets_to_the_full_rate(context: Context) -> Iterator[Diagnostic]:
    schedule, num_steps = context.spec.train.schedule, context.spec.train.max_steps
    if num_steps is None or not context.is_whole("train", "schedule"):
        return
    stride = max(1, num_steps // _NUM_SAMPLES)
    highest = max(schedule.factor(step, num_steps) for step in (*range(0, num_steps, stride), num_steps - 1))
    if highest < 0.99:
        yield context.problem(
            "schedule-too-long",
            ("train", "schedule"),
            f"within `max_steps: {num_steps}` the learning rate gets to {highest:.0%} of its value at most",
            help="shorten the warm-up, or raise `max_steps`",
            severity="warning",
            related=context.related("training ends here", "train", "max_steps"),
        )


@rule("train.max_steps", "train.checkpoint.every_steps", "evaluate.every_steps")
def intervals_end_within_the_run(context: Context) -> Iterator[Diagnostic]:
    num_steps = context.spec.train.max_steps
    intervals = (
        (("evaluate", "every_steps"), context.spec.evaluate.every_steps, "evaluation"),
        (("train", "checkpoint", "every_steps"), context.spec.train.checkpoint.every_steps, "checkpoint"),
    )
    for steps, interval, what in intervals:
        if num_steps is not None and interval is not None and interval > num_steps:
            yield context.problem(
                "interval-too-long",
                steps,
                f"training ends at step {num_steps:,}, before the first {what} at step {interval:,}",
                help=f"write at most {num_steps}, or raise `max_steps`",
                severity="warning",
                related=context.related("training ends here", "train", "max_steps"),
            )


@rule("optimizations")
def toggles_are_consistent(context: Context) -> Iterator[Diagnostic]:
    for name, toggle in context.spec.optimizations.items():
        yield from context.faults_of(toggle, "optimizations", name)


RULES = (
    options_are_consistent,
    options_of_tables_are_consistent,
    every_rank_has_rows,
    schedule_gets_to_the_full_rate,
    intervals_end_within_the_run,
    toggles_are_consistent,
)
