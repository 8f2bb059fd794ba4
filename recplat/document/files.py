"""Bytes of a file to text, with a diagnostic for everything that can be wrong with them."""

from __future__ import annotations

import errno
import os
import re
from itertools import islice
from pathlib import Path

from recplat.diagnostics import Diagnostic, Location, Problems, nearest
from recplat.document.limits import MAX_BYTES

# YAML's printable characters less those that only YAML 1.1 takes for line breaks (U+0085, U+2028, U+2029): with
# them the parser's line numbers would differ from every editor's.
_UNPRINTABLE = "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
_UNPRINTABLE_ASCII = "[^\t\n\r\x20-\x7e]"
_MAX_ODD = 20  # of one file; where there are more, they have one cause
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str, *, asked_at: Location | None = None) -> str:
    """The text of a file without its byte order mark.

    Args:
        asked_at: the place that names the file, for the diagnostic when it can't be read.
    Raises:
        Problems: the file can't be read or isn't text.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise Problems([_unreadable(path, error, asked_at)]) from None
    return decode(content, path)


def decode(content: bytes | str, file: str) -> str:
    """Text without its byte order mark; refuses what isn't UTF-8, isn't text, or is too big."""
    size = len(content) if isinstance(content, bytes) else len(content.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise Problems([_too_large(file)])
    text = content if isinstance(content, str) else _utf8(content, file)
    text = text.removeprefix("\ufeff")
    # Compiled here, since the one for all of Unicode takes 4 ms.
    unprintable = re.compile(_UNPRINTABLE_ASCII if text.isascii() else _UNPRINTABLE)
    odd = [_unprintable(found, text, file) for found in islice(unprintable.finditer(text), _MAX_ODD)]
    if odd:
        raise Problems(odd, {file: text})
    return text


def place_of(text: str, file: str, index: int) -> Location:
    """The place of one character of `text`."""
    # Counted in C, since a file may have millions of lines: a break is LF, CR, or both.
    line = 1 + text.count("\n", 0, index) + text.count("\r", 0, index) - text.count("\r\n", 0, index)
    column = index - max(text.rfind("\n", 0, index), text.rfind("\r", 0, index))
    return Location(file, line, column, line, column + 1)


def _utf8(content: bytes, file: str) -> str:
    if content.startswith(_UTF16):
        raise Problems([_not_utf8(file, "it is UTF-16", None)])
    if b"\0" in content[:8192]:
        raise Problems([_binary(file)])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        where = place_of(before, file, len(before))
        raise Problems(
            [_not_utf8(file, f"byte 0x{content[error.start]:02x} on line {where.line} isn't valid", where)],
            {file: content.decode("utf-8", "replace").removeprefix("\ufeff")},
        ) from None


def _unreadable(path: str, error: OSError | ValueError, asked_at: Location | None) -> Diagnostic:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Diagnostic("file-not-found", f"there is no file `{path}`", help=_where_else(path), location=asked_at)
    if isinstance(error, IsADirectoryError):
        return Diagnostic(
            "file-is-folder", f"`{path}` is a folder, not a file", help=_files_inside(path), location=asked_at
        )
    reason = str(error) if isinstance(error, ValueError) else os.strerror(error.errno or errno.EIO).lower()
    return Diagnostic(
        "file-unreadable",
        f"`{path}` can't be read: {reason}",
        help="check the path and that you may read it (`ls -l` shows the permissions)",
        location=asked_at,
    )


def _where_else(path: str) -> str:
    folder = Path(path).parent
    if not folder.is_dir():
        return f"there is no folder `{folder}` either; check the path, which counts from `{Path.cwd()}`"
    likely = nearest(Path(path).name, _names(folder))
    if likely:
        return f"did you mean `{folder / likely}`?"
    return f"check the name; it was looked for in `{folder.resolve()}`"


def _files_inside(path: str) -> str:
    specs = [name for name in _names(Path(path)) if name.endswith((".yaml", ".yml"))]
    return f"name a file in it, such as `{Path(path) / specs[0]}`" if specs else "name a YAML file"


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in islice(folder.iterdir(), 1000))
    except OSError:  # only a suggestion is lost
        return []


def _too_large(file: str) -> Diagnostic:
    return Diagnostic(
        "file-too-large",
        f"`{file}` is larger than {MAX_BYTES >> 20} MiB",
        help="a spec is YAML text; put data, such as a vocabulary, in a file of its own and give its path",
        location=Location(file, 1, 1, 1, 1),
    )


def _not_utf8(file: str, reason: str, where: Location | None) -> Diagnostic:
    return Diagnostic(
        "file-not-utf8",
        f"`{file}` isn't UTF-8: {reason}",
        help="save it as UTF-8 in your editor, or convert it with `iconv -f <its encoding> -t UTF-8`",
        location=where or Location(file, 1, 1, 1, 1),
    )


def _binary(file: str) -> Diagnostic:
    return Diagnostic(
        "file-is-binary",
        f"`{file}` isn't a text file: it holds NUL bytes",
        help="give the YAML spec; data files are named inside of it",
        location=Location(file, 1, 1, 1, 1),
    )


def _unprintable(found: re.Match[str], text: str, file: str) -> Diagnostic:
    code = ord(found[0])
    return Diagnostic(
        "yaml-character",
        f"character U+{code:04X} isn't allowed in YAML",
        help=f'delete it (it is invisible in most editors), or write it as "\\u{code:04x}" in double quotes',
        location=place_of(text, file, found.start()),
    )
