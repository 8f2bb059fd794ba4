"""Which columns a job reads, and as what."""

from collections.abc import Callable, Iterator

import pyarrow as pa

from recplat.catalog.value_types import check_key, check_number, is_list, value_type_of
from recplat.catalog.values import UnfitType
from recplat.data import split
from recplat.data.files import DataFile
from recplat.data.labels import check_label_type
from recplat.data.problems import type_problem
from recplat.data.table import ColumnUse, Table
from recplat.diagnostics import Diagnostic
from recplat.lang.kinds import Feature
from recplat.lang.statistics import ValueType
from recplat.spec.types import Spec, SplitColumn

LABEL_PATH = "spec.data.label.column"
POSITIVE_PATH = "spec.data.label.positive"
WEIGHT_PATH = "spec.data.weight"


def column_uses(spec: Spec) -> tuple[ColumnUse, ...]:
    """Every column that the job reads, in the order of the spec."""
    return tuple(_column_uses(spec))


def feature_path(feature: Feature) -> str:
    return f"spec.features.{feature.name}.column"


def group_columns(spec: Spec) -> tuple[str, ...]:
    """The columns by which metrics group rows, each once."""
    found = (metric.group_column() for metric in spec.evaluate.metrics)
    return tuple(dict.fromkeys(column for column in found if column is not None))


def type_faults(spec: Spec, tables: tuple[Table, ...]) -> Iterator[Diagnostic]:
    """A fault for each column that can't be read as what the spec takes it for."""
    for feature in spec.features:
        try:
            value_type(feature, tables)
        except _TypeFault as fault:
            yield type_problem(fault.unfit, fault.column, fault.file, feature_path(feature))
    yield from _shared_table_faults(spec, tables)
    for use, check_type in _other_uses(spec):
        for file, type_ in _types(tables, use.column):
            try:
                check_type(type_)
            except UnfitType as unfit:
                yield type_problem(unfit, use.column, file, use.path)
                break


def _other_uses(spec: Spec) -> Iterator[tuple[ColumnUse, Callable[[pa.DataType], None]]]:
    """Columns that are no feature's, each with what refuses a type that it can't have."""
    label = spec.data.label
    yield ColumnUse(label.column, LABEL_PATH), lambda type_: check_label_type(type_, label.positive)
    if spec.data.weight is not None:
        yield ColumnUse(spec.data.weight, WEIGHT_PATH), check_number
    if isinstance(spec.data.split, SplitColumn):
        yield from ((use, check_key) for use in split.column_uses(spec.data.split))
    yield from ((use, check_key) for use in _group_uses(spec))


def _shared_table_faults(spec: Spec, tables: tuple[Table, ...]) -> Iterator[Diagnostic]:
    """`7` as a text and 7 as a number would have two ids in one table."""
    first: dict[str, tuple[str, ValueType]] = {}
    for feature in spec.features:
        table = feature.table_name()
        if table is None:
            continue
        try:
            found = value_type(feature, tables)
        except _TypeFault:
            continue  # reported already
        other, known = first.setdefault(table, (feature.name, found))
        if known != found:
            yield Diagnostic(
                "data-column-type",
                f"features `{other}` and `{feature.name}` share table `{table}`, but the keys of one are {known}, "
                f"of the other {found}",
                help="write `dtype: string` in both, or give them tables of their own",
                path=feature_path(feature),
            )


def value_type(feature: Feature, tables: tuple[Table, ...]) -> ValueType:
    """How the values of a feature are held, the same for all files.

    Raises:
        ValueError: its columns can't be read so; `type_faults` says why.
    """
    is_number = feature.reads() == "number"
    item_types: list[pa.DataType] = []
    for column in feature.columns():
        for file, type_ in _types(tables, column):
            item_types.append(_item_type(feature, type_, column, file))
            try:
                found = value_type_of(item_types, number=is_number, key_type=feature.key_type())
            except UnfitType as unfit:
                raise _TypeFault(unfit, column, file) from None
    return found


class _TypeFault(ValueError):
    def __init__(self, unfit: UnfitType, column: str, file: DataFile) -> None:
        super().__init__(unfit.message)
        self.unfit = unfit
        self.column = column
        self.file = file


def _column_uses(spec: Spec) -> Iterator[ColumnUse]:
    if spec.data.split is not None:
        yield from split.column_uses(spec.data.split)
    yield ColumnUse(spec.data.label.column, LABEL_PATH)
    if spec.data.weight is not None:
        yield ColumnUse(spec.data.weight, WEIGHT_PATH)
    for feature in spec.features:
        yield from (ColumnUse(column, feature_path(feature)) for column in feature.columns())
    yield from _group_uses(spec)


def _group_uses(spec: Spec) -> Iterator[ColumnUse]:
    for index, metric in enumerate(spec.evaluate.metrics):
        if (column := metric.group_column()) is not None:
            yield ColumnUse(column, f"spec.evaluate.metrics.{index}")


def _types(tables: tuple[Table, ...], column: str) -> Iterator[tuple[DataFile, pa.DataType]]:
    for table in tables:
        yield from table.types(column)


def _item_type(feature: Feature, type_: pa.DataType, column: str, file: DataFile) -> pa.DataType:
    """The type of single values, once it is sure that the column holds lists where the feature wants them."""
    if pa.types.is_null(type_):
        return type_
    has_lists = is_list(type_)
    separator = getattr(feature, "separator", None)
    if feature.is_list() and has_lists and separator is None:
        return type_.value_type
    if feature.is_list() and not has_lists and separator is not None:
        return type_
    if feature.is_list() and has_lists:
        unfit = UnfitType("holds lists, which `separator` can't divide", "remove `separator`")
    elif feature.is_list():
        unfit = UnfitType(
            f"holds one {type_} a row, not a list", "write `separator` to divide texts, or choose a list column"
        )
    elif has_lists:
        unfit = UnfitType("holds lists", "write `multivalent: true` on a categorical feature, or use a sequence")
    else:
        return type_
    raise _TypeFault(unfit, column, file)
