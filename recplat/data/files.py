"""Which files a source names, what format they have, and opening them."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import pyarrow as pa
import pyarrow.fs as pafs

from recplat.diagnostics import Diagnostic, Problems
from recplat.lang.statistics import SourceFile
from recplat.spec.paths import PROJECT_PREFIX, is_url, resolve
from recplat.spec.types import Source

Format = Literal["parquet", "csv", "tsv"]

_ENDINGS: dict[str, Format] = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".txt": "csv", ".tsv": "tsv"}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
_WILDCARD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of a source. `shown` is its path for people, `spec_path` the place in the spec that names it."""

    filesystem: Any
    path: str
    shown: str
    normal: str  # as the spec's normal form would say it
    num_bytes: int
    mtime_ns: int
    format: Format
    compression: str | None
    spec_path: str

    def open(self) -> Any:
        """The decompressed bytes as a stream."""
        return self.filesystem.open_input_stream(self.path, compression=self.compression)

    def identity(self) -> SourceFile:
        return SourceFile(path=self.normal, num_bytes=self.num_bytes, mtime_ns=self.mtime_ns)

    def problem(self, code: str, message: str, help: str, *notes: str) -> Problems:
        return Problems([Diagnostic(code, message, help=help, path=self.spec_path, notes=notes)])


def refuse_twice(names: Sequence[str], file: DataFile, help: str) -> None:
    """
    Raises:
        Problems: a name stands for two columns.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise file.problem("data-column-twice", f"`{file.shown}` has two columns named `{name}`", help)
        seen.add(name)


def find_files(source: Source, root: Path, spec_path: str) -> tuple[DataFile, ...]:
    """The files of a source, sorted by path.

    Args:
        root: the project's, which `project:` paths start at.
        spec_path: of the source, such as `spec.data.source`.
    Raises:
        Problems: nothing is there, a file is empty, or its format is not known.
    """
    path = f"{spec_path}.path"
    with _located(source, path):
        filesystem, place = _open(source.path, root)
        infos = _infos(filesystem, place, _fixed_length(source.path, place))
        if not infos:
            raise _nothing_there(source, filesystem, place, root, path)
        return tuple(_data_file(info, filesystem, source, root, path) for info in infos)


def _open(path: str, root: Path) -> tuple[Any, str]:
    if is_url(path):
        # A wildcard would be taken for part of a name; only what stands before it says which file system it is.
        head = _WILDCARD.split(path)[0]
        filesystem, place = pafs.FileSystem.from_uri(head)
        return filesystem, place + path[len(head) :]
    return pafs.LocalFileSystem(), Path(resolve(path, root)).as_posix()


def _fixed_length(path: str, place: str) -> int:
    """How much of a place is a folder's own name, where `[` and `*` are no wildcards: the project's root."""
    return len(place) - len(path.removeprefix(PROJECT_PREFIX)) if path.startswith(PROJECT_PREFIX) else 0


def _infos(filesystem: Any, place: str, num_fixed: int) -> list[Any]:
    """Files that a place names; wildcards are looked for behind its first `num_fixed` characters."""
    info = filesystem.get_file_info(place)
    if info.type == pafs.FileType.File:
        return [info]
    if info.type == pafs.FileType.Directory:
        inside = filesystem.get_file_info(pafs.FileSelector(place, recursive=True))
        return sorted((i for i in inside if _is_data(i, place)), key=lambda i: i.path)
    found = _WILDCARD.search(place, num_fixed)
    if found is None:
        return []
    base = posixpath.dirname(place[: found.start()])
    pattern = re.compile(re.escape(place[:num_fixed]) + _regex(place[num_fixed:]))
    is_recursive = "/" in place[found.start() :] or "**" in place[found.start() :]
    selector = pafs.FileSelector(base, recursive=is_recursive, allow_not_found=True)
    inside = filesystem.get_file_info(selector)
    return sorted((i for i in inside if i.is_file and pattern.fullmatch(i.path)), key=lambda i: i.path)


def _is_data(info: Any, folder: str) -> bool:
    inner = info.path[len(folder) :].strip("/").split("/")
    return info.is_file and not any(part.startswith(("_", ".")) for part in inner) and _format(info.path) is not None


def _regex(glob: str) -> str:
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\])", glob)
    return "".join(_regex_piece(piece) for piece in pieces)


def _regex_piece(piece: str) -> str:
    # As in a shell, no wildcard stands for the dot of a hidden file: that may be half written.
    known = {"**/": r"(?:[^/.][^/]*/)*", "**": r"(?!\.)(?:[^/]|/(?!\.))*", "*": r"(?:(?<!/)|(?!\.))[^/]*", "?": r"[^/]"}
    if piece in known:
        return known[piece]
    if piece.startswith("[") and piece.endswith("]"):
        members = "".join(_members(piece[1:-1].removeprefix("!")))
        return f"[^{members}/]" if piece[1] == "!" else f"[{members}]" if members else "(?!)"
    return re.escape(piece)


def _members(inside: str) -> Iterator[str]:
    """What stands between brackets, for a regex; a range that runs backwards holds nothing."""
    for low, high, single in re.findall(r"(.)-(.)|(.)", inside, re.DOTALL):
        if single:
            yield re.escape(single)
        elif low <= high:
            yield f"{re.escape(low)}-{re.escape(high)}"


def _data_file(info: Any, filesystem: Any, source: Source, root: Path, spec_path: str) -> DataFile:
    shown = _shown(info.path, source, root)
    if info.size == 0:
        message, help = f"`{shown}` is empty", "write data into it, or name another file"
        raise Problems([Diagnostic("data-file-empty", message, help=help, path=spec_path)])
    kind = _format(info.path) if source.format == "auto" else source.format
    if kind is None:
        message = f"the ending of `{shown}` does not say what format it has"
        help = f"write `format: {'`, `format: '.join(get_args(Format))}`"
        raise Problems([Diagnostic("data-format-unknown", message, help=help, path=spec_path)])
    return DataFile(
        filesystem=filesystem,
        path=info.path,
        shown=shown,
        normal=_normal(info.path, source, root),
        num_bytes=info.size,
        mtime_ns=info.mtime_ns or 0,
        format=kind,
        compression=None if kind == "parquet" else _COMPRESSIONS.get(posixpath.splitext(info.path.lower())[1]),
        spec_path=spec_path,
    )


def _format(path: str) -> Format | None:
    base, ending = posixpath.splitext(path.lower())
    return _ENDINGS.get(posixpath.splitext(base)[1] if ending in _COMPRESSIONS else ending)


def _normal(path: str, source: Source, root: Path) -> str:
    if is_url(source.path):
        return f"{source.path.split('://')[0]}://{path}"
    local = Path(path)
    return PROJECT_PREFIX + local.relative_to(root).as_posix() if local.is_relative_to(root) else path


def _shown(path: str, source: Source, root: Path) -> str:
    return _normal(path, source, root).removeprefix(PROJECT_PREFIX)


def _nothing_there(source: Source, filesystem: Any, place: str, root: Path, spec_path: str) -> Problems:
    shown = _shown(place, source, root)
    is_folder = filesystem.get_file_info(place).type == pafs.FileType.Directory
    if is_folder:
        message = f"the folder `{shown}` holds no data file"
        help = f"put files ending in {', '.join(_ENDINGS)} (or these with .gz, .zst) there, or name another folder"
        return Problems([Diagnostic("data-no-match", message, help=help, path=spec_path)])
    if _WILDCARD.search(source.path):
        message, help = (
            f"no file matches `{shown}`",
            "correct the pattern: `*` stands for part of a name, `**` for folders",
        )
        return Problems([Diagnostic("data-no-match", message, help=help, path=spec_path)])
    help = "correct the path; one without a leading `/` starts at the folder of the file that says it"
    return Problems([Diagnostic("data-file-missing", f"`{shown}` does not exist", help=help, path=spec_path)])


@contextmanager
def _located(source: Source, spec_path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        message = f"`{source.path.removeprefix(PROJECT_PREFIX)}` can't be read: {first_line(error)}"
        help = "check its permissions and, for a URL, its spelling, the network and your credentials"
        raise Problems([Diagnostic("data-file-unreadable", message, help=help, path=spec_path)]) from error


def first_line(error: BaseException) -> str:
    """What a library says is wrong, without its tail."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
