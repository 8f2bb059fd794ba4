"""Rules about where rows come from."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.lang.conditions import parse_condition
from recplat.spec.rules.base import Context, rule
from recplat.spec.types import Source, SplitColumn, SplitRandom, SplitTime


@rule("data.source", "data.train")
def one_source_or_parts(context: Context) -> Iterator[Diagnostic]:
    data = context.spec.data
    if data.source is None and data.train is None:
        yield context.problem(
            "no-data",
            ("data",),
            "no data is named",
            help="write `source: {path: …}` with a `split`, or `train: {path: …}` and `eval: {path: …}`",
        )
    for part in ("train", "eval", "test"):
        if data.source is not None and getattr(data, part) is not None:
            yield context.problem(
                "source-and-parts",
                ("data", part),
                f"`data.{part}` and `data.source` are both given",
                help=f"keep `source` with its `split`, or name `train`, `eval` and `test` each; remove `{part}` here",
                related=context.related("`source` is given here", "data", "source"),
            )


@rule("data.source", "data.split")
def split_needs_source(context: Context) -> Iterator[Diagnostic]:
    data = context.spec.data
    if data.source is not None and data.split is None:
        yield context.problem(
            "split-missing",
            ("data", "source"),
            "`data.source` is not divided into parts",
            help="add `split: {by: random}` for 80 % train, 10 % eval, 10 % test; `by: time` and `by: column` work too",
        )
    if data.source is None and data.split is not None:
        yield context.problem(
            "split-without-source",
            ("data", "split"),
            "`data.split` divides `data.source`, which is not given",
            help="remove `split`: `train`, `eval` and `test` are parts already",
        )


@rule("data.split")
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
        yield context.problem(
            "bad-condition",
            ("data", "label", "positive"),
            f"the condition `{positive}` is not understood: {error}",
            help='write a comparison such as ">= 4", "== 1", or a list such as "in [click, buy]"',
        )


@rule("data")
def file_options_fit_the_format(context: Context) -> Iterator[Diagnostic]:
    for name in ("source", "train", "eval", "test"):
        source: Source | None = getattr(context.spec.data, name)
        if source is None:
            continue
        is_text = source.format in ("csv", "tsv") or (source.format == "auto" and _looks_like_text(source.path))
        if not is_text:
            for option in ("delimiter", "column_names"):
                if getattr(source, option):
                    yield context.problem(
                        "option-for-text-files",
                        ("data", name, option),
                        f"`{option}` is for CSV and TSV files; `{source.path}` is read as Parquet",
                        help=f"remove `{option}`, or say `format: csv`",
                    )
        elif not source.header and not source.column_names:
            yield context.problem(
                "column-names-missing",
                ("data", name, "header"),
                "the file has no header, so its columns have no names",
                help="add `column_names: [label, …]`, one name for each column, in their order",
            )


def _looks_like_text(path: str) -> bool:
    for ending in (".gz", ".zst"):
        path = path.removesuffix(ending)
    return path.endswith((".csv", ".tsv", ".txt"))


RULES = (
    one_source_or_parts,
    split_needs_source,
    fractions_add_up,
    split_values_differ,
    condition_is_understood,
    file_options_fit_the_format,
)
