"""Rules about the model and what it is given."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.spec.inputs import model_inputs
from recplat.spec.rules.base import Context, rule


@rule("model")
def options_are_consistent(context: Context) -> Iterator[Diagnostic]:
    for fault in context.spec.model.faults():
        yield context.from_fault(fault, "model")


@rule("model", "tables")
def tables_have_its_dim(context: Context) -> Iterator[Diagnostic]:
    fixed = context.spec.model.fixed_dim
    name = context.catalog.name_of(context.spec.model)
    for index, table in enumerate(context.spec.tables):
        if fixed is not None and table.dim != fixed:
            yield context.problem(
                "model-needs-dim",
                ("tables", index, "dim"),
                f"`{name}` works with dim {fixed}; table `{table.name}` has {table.dim}",
                help=f"remove `dim`: it is {fixed} for this model",
            )


@rule("model", whole=("model", "features", "tables"))
def inputs_fit(context: Context) -> Iterator[Diagnostic]:
    for fault in context.spec.model.check_inputs(model_inputs(context.spec)):
        yield context.from_fault(fault, "model")


RULES = (options_are_consistent, tables_have_its_dim, inputs_fit)
