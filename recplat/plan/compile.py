"""From a spec and its statistics lock to a plan. Pure: no data is opened, no torch, the same input gives the same plan.

features -> tables (rows, kernels) -> placement -> memory -> toggles
"""

from msgspec import Struct

from recplat.catalog import Catalog
from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.shapes import Device, ModelInputs, Workload
from recplat.lang.statistics import Statistics
from recplat.plan.codec import spec_digest, with_digest
from recplat.plan.memory import dense_bytes, memory_by_rank, unfitting
from recplat.plan.placement import place
from recplat.plan.tables import plan_features, plan_tables
from recplat.plan.toggles import plan_toggles
from recplat.plan.types import PLAN_FORMAT, DataPlan, ModelPlan, Plan
from recplat.spec.inputs import model_inputs
from recplat.spec.types import Spec, TrainingJob


class Compiled(Struct, frozen=True, kw_only=True):
    """A plan and what a person should know about it."""

    plan: Plan
    warnings: tuple[Diagnostic, ...]


def compile_plan(
    job: TrainingJob,
    statistics: Statistics | None,
    device: Device,
    catalog: Catalog,
    *,
    memory_per_rank: int | None = None,
) -> Compiled:
    """The plan of a job on a device.

    Args:
        statistics: the lock; without one, rows that come from the data stay unknown and a warning says so.
        memory_per_rank: bytes that a rank may use; None: not known, so nothing is checked against it.
    Raises:
        Problems: the plan can't be made: a table fits nowhere, a toggle can't act, constraints contradict. Their
            `path` names the place in the spec; file and line are the caller's to add.
    """
    spec = job.spec
    inputs = model_inputs(spec)
    data = _data_plan(spec, statistics)
    features = plan_features(spec, catalog, statistics)
    tables, problems = plan_tables(spec, catalog, statistics, device)
    tables, more = place(tables, spec, catalog, device, memory_per_rank)
    workload = _workload(spec, inputs, data, device, catalog, tuple(sorted({table.kernel for table in tables})))
    toggles, toggle_problems = plan_toggles(spec, device, workload)
    memory = memory_by_rank(tables, features, dense_bytes(spec, inputs), inputs, spec.train.batch_size, device)
    found = [*problems, *more, *toggle_problems, *unfitting(tables, memory, memory_per_rank, spec.sharding.tables)]
    if any(problem.severity == "error" for problem in found):
        raise Problems(found)
    plan = Plan(
        format=PLAN_FORMAT,
        digest="",
        spec_digest=spec_digest(job),
        statistics_digest=statistics.digest if statistics else None,
        catalog_digest=catalog.digest(),
        job=job,
        device=device,
        data=data,
        features=features,
        tables=tables,
        model=_model_plan(spec, inputs, catalog),
        toggles=toggles,
        memory=memory,
    )
    return Compiled(plan=with_digest(plan), warnings=tuple(found))


def _data_plan(spec: Spec, statistics: Statistics | None) -> DataPlan:
    rows = {name: part.num_rows for name, part in statistics.parts.items()} if statistics else {}
    num_rows = rows.get("train")
    per_epoch = None if num_rows is None else -(-num_rows // spec.train.batch_size)
    steps = None if per_epoch is None else per_epoch * spec.train.epochs
    if spec.train.max_steps is not None:
        steps = spec.train.max_steps if steps is None else min(steps, spec.train.max_steps)
    return DataPlan(
        num_train_rows=num_rows,
        num_eval_rows=rows.get("eval"),
        num_test_rows=rows.get("test"),
        steps_per_epoch=per_epoch,
        num_steps=steps,
    )


def _model_plan(spec: Spec, inputs: ModelInputs, catalog: Catalog) -> ModelPlan:
    return ModelPlan(
        type=catalog.name_of(spec.model),
        inputs=inputs,
        num_parameters=spec.model.num_parameters(inputs),
        flops_per_sample=spec.model.flops(inputs),
    )


def _workload(
    spec: Spec, inputs: ModelInputs, data: DataPlan, device: Device, catalog: Catalog, kernels: tuple[str, ...]
) -> Workload:
    return Workload(
        batch_size=spec.train.batch_size,
        num_steps=data.num_steps,
        flops_per_sample=spec.model.flops(inputs),
        embedding_kernels=kernels,
        model_type=catalog.name_of(spec.model),
    )
