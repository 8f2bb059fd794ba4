"""Rules about embedding tables and where they lie."""

from collections.abc import Iterator

from msgspec import UNSET

from recplat.diagnostics import Diagnostic, nearest
from recplat.lang.kinds import Feature
from recplat.spec.build import to_plain
from recplat.spec.rules.base import Context, names_given_twice, rule

_MAX_NAMED = 10


@rule("tables")
def names_differ(context: Context) -> Iterator[Diagnostic]:
    names = (table.name for table in context.spec.tables)
    help = "keep one of them; several features may name it in `table`"
    yield from names_given_twice(context, "tables", names, help)


@rule(whole=("tables", "features"))
def tables_are_used(context: Context) -> Iterator[Diagnostic]:
    used = {feature.table_name() for feature in context.spec.features}
    for index, table in enumerate(context.spec.tables):
        if table.name not in used:
            others = sorted(name for name in used if name is not None)
            close = nearest(table.name, others)
            yield context.problem(
                "table-unused",
                ("tables", index, "name"),
                f"no feature looks up table `{table.name}`",
                help=f"did you mean `{close}`?"
                if close
                else f"name it in a feature: `table: {table.name}`, or remove it",
            )


@rule(whole=("tables", "features"))
def rows_suffice(context: Context) -> Iterator[Diagnostic]:
    rows = {table.name: (index, table.rows) for index, table in enumerate(context.spec.tables)}
    for feature in context.spec.features:
        needed = feature.num_rows(None) if feature.gives == "bag" else None
        index, given = rows.get(feature.table_name() or "", (0, None))
        if needed is not None and given is not None and given < needed:
            yield context.problem(
                "table-rows-too-few",
                ("tables", index, "rows"),
                f"table `{feature.table_name()}` has {given:,} rows; feature `{feature.name}` needs {needed:,}",
                help=f"write `rows: {needed}` or leave it out: two rows are kept for missing and unknown values",
            )


@rule(whole=("tables", "features"))
def sharing_features_agree(context: Context) -> Iterator[Diagnostic]:
    first: dict[str, Feature] = {}
    for index, feature in enumerate(context.spec.features):
        table = feature.table_name()
        if table is None:
            continue
        other = first.setdefault(table, feature)
        if other.name == feature.name:  # the same one, or one that is reported for its name
            continue
        if to_plain(feature.transforms()) != to_plain(other.transforms()):
            yield context.problem(
                "table-with-two-id-spaces",
                ("features", index),
                f"features `{other.name}` and `{feature.name}` share table `{table}` but number values differently",
                help="give both the same `transform` with the same options, or tables of their own",
            )


@rule("sharding.tables", whole=("tables", "features"))
def sharded_tables_exist(context: Context) -> Iterator[Diagnostic]:
    names = [table.name for table in context.spec.tables]
    for name in context.spec.sharding.tables:
        if name not in names:
            close = nearest(name, names)
            listed = ", ".join(names[:_MAX_NAMED]) + (" and more" if len(names) > _MAX_NAMED else "")
            yield context.problem(
                "unknown-table",
                ("sharding", "tables", name),
                f"there is no table `{name}`",
                help=f"did you mean `{close}`?" if close else f"tables: {listed}",
            )


@rule("sharding.tables", whole=("resources",))
def ranks_exist(context: Context) -> Iterator[Diagnostic]:
    for name, constraint in context.spec.sharding.tables.items():
        steps = ("sharding", "tables", name, "rank")
        if constraint.rank is not None and constraint.rank >= context.num_ranks:
            yield context.problem(
                "rank-out-of-range",
                steps,
                f"rank {constraint.rank} does not exist: there are {context.num_ranks}, counted from 0",
                help=f"write a rank from 0 to {context.num_ranks - 1}, or raise `resources.ranks_per_node`"
                if context.num_ranks > 1
                else "write `rank: 0`, or raise `resources.ranks_per_node`",
            )


@rule("sharding.tables")
def ranks_have_an_effect(context: Context) -> Iterator[Diagnostic]:
    for name, constraint in context.spec.sharding.tables.items():
        if constraint.rank is None or constraint.type is None:
            continue
        layouts = [constraint.type.shards(num_rows=8, num_columns=4, num_ranks=2, rank=rank) for rank in (0, 1)]
        if layouts[0] == layouts[1]:
            yield context.problem(
                "rank-without-effect",
                ("sharding", "tables", name, "rank"),
                f"`{context.catalog.name_of(constraint.type)}` puts table `{name}` on all ranks: `rank` says nothing",
                help="remove `rank`, or write `type: table_wise`",
            )


@rule("features", "tables")
def dims_agree(context: Context) -> Iterator[Diagnostic]:
    dims = {table.name: table.dim for table in context.spec.tables}
    for index, feature in enumerate(context.spec.features):
        # The normaliser moves a feature's `dim` to its table; it stays behind where the table has another one.
        dim = getattr(feature, "dim", UNSET)
        table = feature.table_name()
        if dim is UNSET or table not in dims:
            continue
        yield context.problem(
            "table-with-two-dims",
            ("features", index, "dim"),
            f"table `{table}` is asked for with dim {dim} here and dim {dims[table]} elsewhere",
            help=f"a table has one dim: write `dim: {dims[table]}` here too, or give the feature a table of its own",
            related=context.related(f"dim {dims[table]} is asked for here", "tables", table, "dim"),
        )


@rule("tables")
def rates_are_given_once(context: Context) -> Iterator[Diagnostic]:
    for index, table in enumerate(context.spec.tables):
        if table.optimizer is not None and table.learning_rate is not None:
            yield context.problem(
                "learning-rate-twice",
                ("tables", index, "learning_rate"),
                f"table `{table.name}` has a learning rate of its own and an optimiser with one",
                help="write the rate in `optimizer`, and remove `learning_rate`",
            )


RULES = (
    names_differ,
    tables_are_used,
    rows_suffice,
    sharing_features_agree,
    sharded_tables_exist,
    ranks_exist,
    ranks_have_an_effect,
    dims_agree,
    rates_are_given_once,
)
