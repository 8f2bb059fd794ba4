"""Rules about the model and what it is given."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.spec.inputs import model_inputs
from recplat.spec.rules.base import Context, rule


@rule("model")
def options_are_consistent(context: Context) -> Iterator[Diagnostic]:
    yield from context.faults_of(context.spec.model, "model")


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


@rule(whole=("model", "optimizations.grad_accumulation"))
def batches_can_be_cut(context: Context) -> Iterator[Diagnostic]:
    toggle = context.spec.optimizations["grad_accumulation"]
    pieces = getattr(toggle, "steps", 1)
    if toggle.mode != "disabled" and pieces > 1 and context.spec.model.has_batch_statistics():
        yield context.problem(
            "batch-norm-with-accumulation",
            ("model", "batch_norm"),
            f"`batch_norm` would see each of the {pieces} pieces alone that `grad_accumulation` cuts a batch into, so "
            "the result would not be that of the whole batch",
            help="remove `batch_norm`, or `grad_accumulation`",
            related=context.related("the batch is cut here", "optimizations", "grad_accumulation"),
        )


RULES = (options_are_consistent, tables_have_its_dim, inputs_fit, batches_can_be_cut)
