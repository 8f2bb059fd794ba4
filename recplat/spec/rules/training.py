"""Rules about how the model is trained."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.spec.rules.base import Context, rule


@rule("train", "tables")
def options_are_consistent(context: Context) -> Iterator[Diagnostic]:
    train = context.spec.train
    for name in ("dense_optimizer", "embedding_optimizer", "schedule"):
        for fault in getattr(train, name).faults():
            yield context.from_fault(fault, "train", name)
    for index, table in enumerate(context.spec.tables):
        for fault in table.optimizer.faults() if table.optimizer else ():
            yield context.from_fault(fault, "tables", index, "optimizer")
        for fault in table.initializer.faults():
            yield context.from_fault(fault, "tables", index, "initializer")


@rule("train", "resources")
def every_rank_has_rows(context: Context) -> Iterator[Diagnostic]:
    resources = context.spec.resources
    num_ranks = resources.nodes * resources.ranks_per_node
    if context.spec.train.batch_size < num_ranks:
        yield context.problem(
            "batch-too-small",
            ("train", "batch_size"),
            f"{num_ranks} ranks can't share a batch of {context.spec.train.batch_size} rows",
            help=f"`batch_size` counts rows over all ranks: write at least {num_ranks}",
        )


@rule("optimizations")
def toggles_are_consistent(context: Context) -> Iterator[Diagnostic]:
    for name, toggle in context.spec.optimizations.items():
        for fault in toggle.faults():
            yield context.from_fault(fault, "optimizations", name)


RULES = (options_are_consistent, every_rank_has_rows, toggles_are_consistent)
