"""`spec.data`, typed: where rows come from, how they are divided, what is predicted. See `types.py`."""

from typing import Annotated, Literal

from msgspec import Struct

from recplat.lang.fields import Character, Column, Path, Seed, doc, looks_like


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all sections."""


class Source(Section, frozen=True, kw_only=True):
    path: Annotated[
        Path,
        doc(
            "File, glob or folder, relative to the file that says it, or a URL.",
            "../data/ml-100k/ratings.parquet",
            "/data/criteo/day_*.parquet",
        ),
    ]
    format: Annotated[
        Literal["auto", "parquet", "csv", "tsv"],
        doc("File format; `auto` goes by the file's ending, compression (`.gz`, `.zst`) aside."),
    ] = "auto"
    header: Annotated[bool, doc("Whether the first line of a CSV or TSV file names the columns.")] = True
    column_names: Annotated[
        tuple[Column, ...],
        doc("Names of the columns of a CSV or TSV file, in order; only with `header: false`.", ["label", "I1", "C1"]),
    ] = ()
    delimiter: Annotated[
        Character | None, doc("Character between values; by default `,` for CSV and a tab for TSV.", "|")
    ] = None


class SplitRandom(Section, frozen=True, kw_only=True, tag_field="by", tag="random"):
    """Rows at random: `numpy.random.default_rng(seed).permutation(n)`, cut in order."""

    fractions: Annotated[
        tuple[float, ...],
        doc(
            "Fractions of the rows for train, eval and test, in this order; they add up to 1.",
            [0.8, 0.1, 0.1],
            min_length=2,
            max_length=3,
        ),
    ] = (0.8, 0.1, 0.1)
    seed: Annotated[Seed, doc("Seed of the permutation.")] = 0


class SplitTime(Section, frozen=True, kw_only=True, tag_field="by", tag="time"):
    """The earliest rows train, the latest test."""

    column: Annotated[Column, doc("The column that orders the rows: a number, date or timestamp.", "timestamp")]
    ties: Annotated[
        tuple[Column, ...], doc("Further columns that order rows of equal time.", ["user_id", "item_id"])
    ] = ()
    fractions: Annotated[
        tuple[float, ...],
        doc(
            "Fractions of the rows for train, eval and test, in this order; they add up to 1.",
            [0.8, 0.1, 0.1],
            min_length=2,
            max_length=3,
        ),
    ] = (0.8, 0.1, 0.1)


class SplitColumn(Section, frozen=True, kw_only=True, tag_field="by", tag="column"):
    """A column says which part a row belongs to; rows with other values are left out and counted."""

    column: Annotated[Column, doc("The column that names the part.", "fold")]
    train: Annotated[tuple[str, ...], doc("Its values for training rows, as text.", ["train"], min_length=1)]
    eval: Annotated[tuple[str, ...], doc("Its values for evaluation rows.", ["valid"])] = ()
    test: Annotated[tuple[str, ...], doc("Its values for test rows.", ["test"])] = ()


class Label(Section, frozen=True, kw_only=True):
    column: Annotated[Column, doc("The label's column. Without `positive` it must hold 0 and 1 only.", "rating")]
    positive: Annotated[
        str | None,
        doc(
            "The condition that makes a row positive: a comparison and a number, or `in` and a list.",
            ">= 4",
            "in [click, buy]",
        ),
        looks_like("one of `<` `<=` `>` `>=` `==` `!=` and a value, or `in` and a list"),
    ] = None


class Data(Section, frozen=True, kw_only=True):
    source: Annotated[Source | None, doc("One source, divided by `split`.", {"path": "clicks.parquet"})] = None
    split: Annotated[
        SplitRandom | SplitTime | SplitColumn | None,
        doc("How `source` is divided into parts.", {"by": "random", "fractions": [0.8, 0.1, 0.1]}),
    ] = None
    train: Annotated[
        Source | None, doc("Training rows, where the parts are separate files.", {"path": "train.parquet"})
    ] = None
    eval: Annotated[Source | None, doc("Evaluation rows: chosen by during training.", {"path": "eval.parquet"})] = None
    test: Annotated[Source | None, doc("Test rows: read once, after training.", {"path": "test.parquet"})] = None
    label: Annotated[Label, doc("What is predicted.", {"column": "clicked"})]
    weight: Annotated[Column | None, doc("Column of row weights, >= 0; they weigh loss and metrics.", "weight")] = None
    shuffle: Annotated[bool, doc("Whether training rows are shuffled, anew each epoch from `train.seed`.")] = True
    window_rows: Annotated[
        int, doc("Rows among which shuffling mixes freely; files are mixed in blocks beyond it.", ge=1)
    ] = 524_288
    statistics: Annotated[
        Path | None,
        doc("Statistics lock kept in git; by default it is kept under `.recplat/`.", "ml100k.stats.json"),
    ] = None
