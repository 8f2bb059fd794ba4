"""Features and tables of a plan: how many rows, how wide, updated by what."""

from recplat.catalog import Catalog
from recplat.diagnostics import Diagnostic
from recplat.lang.kinds import Feature
from recplat.lang.shapes import Device
from recplat.lang.statistics import FeatureStatistics, Statistics
from recplat.plan.types import FeaturePlan, TablePlan
from recplat.spec.inputs import storage_dim
from recplat.spec.types import Spec, Table

_DTYPE_BYTES = {"fp32": 4, "fp16": 2}


def plan_features(spec: Spec, catalog: Catalog, statistics: Statistics | None) -> tuple[FeaturePlan, ...]:
    return tuple(_feature(feature, catalog, _of(statistics, feature)) for feature in spec.features)


def plan_tables(
    spec: Spec, catalog: Catalog, statistics: Statistics | None, device: Device
) -> tuple[tuple[TablePlan, ...], list[Diagnostic]]:
    """All tables, not yet placed, and what is wrong with their rows."""
    problems: list[Diagnostic] = []
    tables = []
    for table in spec.tables:
        features = [feature for feature in spec.features if feature.table_name() == table.name]
        rows, source = _rows(table, features, catalog, statistics, problems)
        tables.append(_table(table, features, rows, source, spec, catalog, device))
    unknown = [table.name for table in tables if table.num_rows is None]
    if unknown:
        problems.append(_rows_unknown(unknown))
    return tuple(tables), problems


def _feature(feature: Feature, catalog: Catalog, statistics: FeatureStatistics | None) -> FeaturePlan:
    is_bag = feature.gives == "bag"
    return FeaturePlan(
        name=feature.name,
        type=catalog.name_of(feature),
        gives=feature.gives,
        columns=feature.columns(),
        transforms=tuple(catalog.name_of(transform) for transform in feature.transforms()),
        table=feature.table_name(),
        pooling=feature.pooling_type() if is_bag else None,
        is_list=feature.is_list(),
        max_length=statistics.max_length if statistics else 1,
        mean_length=statistics.mean_length if statistics else 1.0,
    )


def _rows(
    table: Table,
    features: list[Feature],
    catalog: Catalog,
    statistics: Statistics | None,
    problems: list[Diagnostic],
) -> tuple[int | None, str]:
    """Rows, and where the number comes from."""
    needed = [(feature, feature.num_rows(_of(statistics, feature))) for feature in features]
    known = [(rows, feature) for feature, rows in needed if rows is not None]
    if table.rows is not None:
        for rows, feature in known:
            if rows > table.rows:
                problems.append(_too_few(table, feature, rows))
        return table.rows, "spec"
    if len(known) < len(needed) or not known:
        return None, "unknown without statistics"
    rows, feature = max(known, key=lambda pair: pair[0])
    transform = feature.transforms()[-1]
    name = catalog.name_of(transform)
    return rows, name if feature.name == table.name else f"{name} of {feature.name}"


def _table(
    table: Table,
    features: list[Feature],
    rows: int | None,
    source: str,
    spec: Spec,
    catalog: Catalog,
    device: Device,
) -> TablePlan:
    optimizer = table.optimizer or spec.train.embedding_optimizer
    columns = storage_dim(table.dim, spec.model.has_linear_terms())
    num_rows = rows or 0
    return TablePlan(
        name=table.name,
        features=tuple(feature.name for feature in features),
        num_rows=rows,
        rows_source=source,
        dim=table.dim,
        storage_dim=columns,
        dtype=table.dtype,
        optimizer=catalog.name_of(optimizer),
        learning_rate=table.learning_rate or optimizer.learning_rate,
        kernel=optimizer.kernel(device),
        kernel_reason=optimizer.kernel_reason(device),
        sharding="",
        shards=(),
        weight_bytes=num_rows * columns * _DTYPE_BYTES[table.dtype],
        state_bytes=optimizer.state_bytes(num_rows, columns),
    )


def _of(statistics: Statistics | None, feature: Feature) -> FeatureStatistics | None:
    return statistics.features.get(feature.name) if statistics else None


def _too_few(table: Table, feature: Feature, rows: int) -> Diagnostic:
    return Diagnostic(
        "table-rows-too-few",
        f"table `{table.name}` has {table.rows:,} rows; feature `{feature.name}` needs {rows:,} for the values in the "
        "training data",
        help=f"write `rows: {rows}` or more, leave `rows` out, or raise `min_count` of its vocabulary",
        path=f"spec.tables.{table.name}.rows",
    )


def _rows_unknown(names: list[str]) -> Diagnostic:
    listed = ", ".join(f"`{name}`" for name in names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return Diagnostic(
        "rows-unknown",
        f"the rows of {listed} come from the data, which has not been looked at yet",
        help="run `recplat data stats` on the spec; `recplat apply` does it by itself",
        severity="warning",
        path="spec.tables",
    )
