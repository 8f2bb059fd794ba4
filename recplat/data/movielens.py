"""MovieLens-100k, out of the package that carries it: ratings joined with what is known of users and items."""

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from recplat.data.files import first_line
from recplat.diagnostics import Diagnostic, Problems

PACKAGE = "recbole==1.2.1"
FILE = "ratings.parquet"
NOTE = (
    "MovieLens 100K, GroupLens Research, University of Minnesota: free for research; not to be redistributed or used "
    "commercially without permission; publications cite Harper and Konstan (2015), doi:10.1145/2827872. Terms: "
    "https://files.grouplens.org/datasets/movielens/ml-100k-README.txt"
)

_INSIDE = "recbole/dataset_example/ml-100k"
_NAMES = tuple(f"ml-100k.{kind}" for kind in ("inter", "user", "item"))
_TIMEOUT_S = 300


def fetch_movielens(folder: Path, given: Path | None, *, force: bool) -> tuple[Path, bool]:
    """Writes `ratings.parquet`, one row for each rating in the order of the package's file.

    Args:
        given: the wheel, or a folder with its files; None downloads it with pip.
        force: write although it is there.
    Returns:
        The file, and whether it was written now.
    Raises:
        Problems: the files can't be had.
    """
    target = folder / FILE
    if target.is_file() and not force:
        return target, False
    with _files(given) as source:
        table = _table(source)
    folder.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{FILE}.{os.getpid()}")
    try:
        pq.write_table(table.replace_schema_metadata({"note": NOTE}), temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return target, True


def _table(source: Path) -> pa.Table:
    try:
        return _join(*(_read(source / name) for name in _NAMES))
    except (pa.ArrowException, UnicodeDecodeError, KeyError) as error:
        message = (
            f"the files in `{source}` are not those of MovieLens-100k: {type(error).__name__}: {first_line(error)}"
        )
        raise Problems([_problem(message, f"take all three files from the wheel of {PACKAGE}")]) from error


@contextmanager
def _files(given: Path | None) -> Iterator[Path]:
    """A folder that holds the three files."""
    with tempfile.TemporaryDirectory() as temporary:
        place = given if given is not None else _download(Path(temporary))
        if place.is_file():
            _unpack(place, Path(temporary))
            place = Path(temporary)
        for candidate in (place, place / _INSIDE, place / "ml-100k", place / "dataset_example/ml-100k"):
            if all((candidate / name).is_file() for name in _NAMES):
                yield candidate
                return
        message = f"`{place}` does not hold {', '.join(_NAMES)}"
        raise Problems([_problem(message, f"give the wheel of {PACKAGE} or its folder `{_INSIDE}` with `--from`")])


def _download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise Problems([_unreachable(f"no answer in {_TIMEOUT_S} s")]) from None
    wheels = list(folder.glob("recbole-*.whl"))
    if done.returncode != 0 or not wheels:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise Problems([_unreachable(lines[-1].strip() if lines else f"pip ended with {done.returncode}")])
    return wheels[0]


def _unpack(wheel: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name in _NAMES:
                (folder / name).write_bytes(archive.read(f"{_INSIDE}/{name}"))
    except (zipfile.BadZipFile, KeyError) as error:
        message = f"`{wheel}` is not the wheel of {PACKAGE}: {error}"
        raise Problems([_problem(message, f"give the wheel of {PACKAGE} with `--from`")]) from error


def _unreachable(why: str) -> Diagnostic:
    command = f"pip download --no-deps {PACKAGE}"
    help = f"where a package index can be reached run `{command}`, bring the wheel here, and say `--from WHEEL`"
    return _problem(f"pip could not download {PACKAGE}: {why}", help)


def _problem(message: str, help: str) -> Diagnostic:
    return Diagnostic("data-fetch-failed", message, help=help)


def _read(path: Path) -> dict[str, pa.Array]:
    """The columns as text, by their names without the type that stands behind a colon."""
    table = pacsv.read_csv(
        path,
        parse_options=pacsv.ParseOptions(delimiter="\t", quote_char=False),
        convert_options=pacsv.ConvertOptions(column_types=_all_text(path), strings_can_be_null=True, null_values=[""]),
    )
    columns = table.combine_chunks()
    return {name.split(":")[0]: columns.column(name).combine_chunks() for name in table.column_names}


def _all_text(path: Path) -> Mapping[str, pa.DataType]:
    with path.open(encoding="utf-8") as file:
        return dict.fromkeys(file.readline().rstrip("\n").split("\t"), pa.string())


def _join(ratings: dict[str, pa.Array], users: dict[str, pa.Array], items: dict[str, pa.Array]) -> pa.Table:
    user = _rows_of(ratings["user_id"], users["user_id"])
    item = _rows_of(ratings["item_id"], items["item_id"])
    return pa.table(
        {
            "user_id": ratings["user_id"].cast(pa.int64()),
            "item_id": ratings["item_id"].cast(pa.int64()),
            "rating": ratings["rating"].cast(pa.float64()).cast(pa.int64()),
            "timestamp": ratings["timestamp"].cast(pa.float64()).cast(pa.int64()),
            "age": users["age"].cast(pa.int64()).take(user),
            "gender": users["gender"].take(user),
            "occupation": users["occupation"].take(user),
            "zip_code": users["zip_code"].take(user),
            "title": items["movie_title"].take(item),
            "release_year": items["release_year"].take(item),
            "genres": pc.split_pattern(items["class"], " ").take(item),
        }
    )


def _rows_of(wanted: pa.Array, known: pa.Array) -> pa.Array:
    places = pc.index_in(wanted, value_set=known)
    if places.null_count:
        message = "some ratings are of users or items that the other files don't know"
        raise Problems([_problem(message, f"take all three files from the wheel of {PACKAGE}")])
    return places
