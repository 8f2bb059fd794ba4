"""Rules about where rows come from."""

import re
from collections.abc import Iterator

from recplat.diagnostics import Diagnostic, nearest
from recplat.lang.conditions import parse_condition
from recplat.spec.find import Step
from recplat.spec.rules.base import Context, rule
from recplat.spec.types import Source, Spec, SplitColumn, SplitRandom, SplitTime

_MEANT = {"=>": ">=", "=<": "<=", "=": "=="}
_MISWRITTEN = re.compile("^(=>|=<|=(?!=))")
_PARTS = ("data.source", "data.train", "data.eval", "data.test")


@rule(whole=("data",))
def rows_come_from_somewhere(context: Context) -> Iterator[Diagnostic]:
    data = context.spec.data
    if data.source is None and data.train is None:
        yield context.problem(
            "no-data",
            ("data",),
            "no data is named",
            help="write `source: {path: …}` with a `split`, or `train: {path: …}` and `eval: {path: …}`",
        )
    elif data.source is None and data.split is not None:
        yield context.problem(
            "split-without-source",
            ("data", "split"),
            "`data.split` divides `data.source`, which is not given",
            help="remove `split`: `train`, `eval` and `test` are parts already",
        )
    elif data.source is not None and data.split is None:
        yield context.problem(
            "split-missing",
            ("data", "source"),
            "`data.source` is not divided into parts",
            help="add `split: {by: random}` for 80 % train, 10 % eval, 10 % test; `by: time` and `by: column` work too",
        )


@rule("data.source", "data.train", "data.eval", "data.test")
def one_source_or_parts(context: Context) -> Iterator[Diagnostic]:
    data = context.spec.data
    for part in ("train", "eval", "test"):
        if data.source is not None and getattr(data, part) is not None:
            yield context.problem(
                "source-and-parts",
                ("data", part),
                f"`data.{part}` and `data.source` are both given",
                help=f"keep `source` with its `split`, or name `train`, `eval` and `test` each; remove `{part}` here",
                related=context.related("`source` is given here", "data", "source"),
            )


@rule("data.split.fractions")
def fractions_add_up(context: Context) -> Iterator[Diagnostic]:
    split = context.spec.data.split
    if not isinstance(split, SplitRandom | SplitTime):
        return
    total = sum(split.fractions)
    if any(not 0 < fraction < 1 for fraction in split.fractions) or abs(total - 1) > 1e-6:
        yield context.problem(
            "bad-fractions",
            ("data", "split", "fractions"),
            f"the fractions are {', '.join(f'{f:g}' for f in split.fractions)} and add up to {total:g}",
            help="write fractions between 0 and 1 that add up to 1, for instance `[0.8, 0.1, 0.1]`",
        )


@rule("data.split")
def split_values_differ(context: Context) -> Iterator[Diagnostic]:
    split = context.spec.data.split
    if not isinstance(split, SplitColumn):
        return
    seen: dict[str, str] = {}
    for part in ("train", "eval", "test"):
        for index, value in enumerate(getattr(split, part)):
            if value in seen:
                yield context.problem(
                    "split-value-twice",
                    ("data", "split", part, index),
                    f"rows with `{split.column}` = `{value}` can't be in both {seen[value]} and {part}",
                    help="name each value in one part only",
                )
            seen.setdefault(value, part)


@rule("data.label.positive")
def condition_is_understood(context: Context) -> Iterator[Diagnostic]:
    positive = context.spec.data.label.positive
    if positive is None:
        return
    try:
        parse_condition(positive)
    except ValueError as error:
        meant = _MISWRITTEN.sub(lambda found: _MEANT[found[0]], positive)
        yield context.problem(
            "bad-condition",
            ("data", "label", "positive"),
            str(error),
            help=f'write `"{meant}"`'
            if meant != positive
            else 'write a comparison such as `">= 4"`, `"== 1"`, or a list such as `"in [click, buy]"`',
        )


@rule(whole=_PARTS)
def file_options_fit_the_format(context: Context) -> Iterator[Diagnostic]:
    for name in ("source", "train", "eval", "test"):
        source: Source | None = getattr(context.spec.data, name)
        if source is None:
            continue
        is_text = source.format in ("csv", "tsv") or (source.format == "auto" and _looks_like_text(source.path))
        if not is_text:
            path = context.text("data", name, "path")
            for option in ("delimiter", "column_names"):
                if getattr(source, option):
                    yield context.problem(
                        "option-for-text-files",
                        ("data", name, option),
                        f"`{option}` is for CSV and TSV files; `{path}` is read as Parquet",
                        help=f"remove `{option}`, or say `format: csv`",
                    )
        elif not source.header and not source.column_names:
            yield context.problem(
                "column-names-missing",
                ("data", name, "header"),
                "the file has no header, so its columns have no names",
                help="add `column_names: [label, …]`, one name for each column, in their order",
            )
        elif source.header and source.column_names:
            yield context.problem(
                "column-names-twice",
                ("data", name, "column_names"),
                "the first line of the file names its columns, and so does `column_names`",
                help="add `header: false` if the first line holds values; else remove `column_names`",
            )


@rule(whole=("data", "features", "evaluate.metrics"))
def columns_are_named(context: Context) -> Iterator[Diagnostic]:
    """Where the spec names the columns of a file itself, all that it reads must be among them."""
    data = context.spec.data
    for name in ("source", "train", "eval", "test"):
        source: Source | None = getattr(data, name)
        if source is None or source.header or not source.column_names:
            continue
        steps = ("data", name, "column_names")
        seen: set[str] = set()
        for index, column in enumerate(source.column_names):
            if column in seen:
                yield context.problem(
                    "duplicate-name",
                    (*steps, index),
                    f"two columns are named `{column}`",
                    help="give each column a name of its own, in the order of the file",
                )
            seen.add(column)
        for used, where in _columns(context.spec):
            if used not in seen:
                close = nearest(used, source.column_names)
                yield context.problem(
                    "data-column-missing",
                    where,
                    f"`column_names` has no column `{used}`",
                    help=f"did you mean `{close}`?" if close else "name an existing column, or add this one there",
                    related=context.related("the columns are named here", *steps),
                )


def _columns(spec: Spec) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Every column that the spec reads, and where it says so."""
    yield spec.data.label.column, ("data", "label", "column")
    if spec.data.weight is not None:
        yield spec.data.weight, ("data", "weight")
    if isinstance(spec.data.split, SplitTime | SplitColumn):
        yield spec.data.split.column, ("data", "split", "column")
    if isinstance(spec.data.split, SplitTime):
        yield from ((column, ("data", "split", "ties", index)) for index, column in enumerate(spec.data.split.ties))
    for index, feature in enumerate(spec.features):
        yield from ((column, ("features", index, "column")) for column in feature.columns())
    for index, metric in enumerate(spec.evaluate.metrics):
        if (column := metric.group_column()) is not None:
            yield column, ("evaluate", "metrics", index)


def _looks_like_text(path: str) -> bool:
    for ending in (".gz", ".zst"):
        path = path.removesuffix(ending)
    return path.endswith((".csv", ".tsv", ".txt"))


RULES = (
    rows_come_from_somewhere,
    one_source_or_parts,
    fractions_add_up,
    split_values_differ,
    condition_is_understood,
    file_options_fit_the_format,
    columns_are_named,
)
