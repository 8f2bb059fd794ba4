"""What the operating system refuses, such as a write on a full disk, as a diagnostic."""

import errno
import os

from recplat.diagnostics.types import Diagnostic

_FULL = (errno.ENOSPC, errno.EDQUOT)
_HELP = {
    errno.EACCES: "get the right to write there (`ls -ld` shows whose it is), or work in another folder",
    errno.EPERM: "get the right to do that, or work in another folder",
    errno.EROFS: "that file system is mounted read-only: work in a folder on another one",
    errno.ENOENT: "make the folder, or correct the path",
    errno.ENOTDIR: "a file stands where a folder should: move it away, or correct the path",
    errno.EEXIST: "something stands there already: move it away, or correct the path",
    errno.EISDIR: "name a file; that is a folder",
    errno.ENAMETOOLONG: "use shorter names",
    errno.EMFILE: "let a process open more files: `ulimit -n 4096`",
}


def refusal(error: OSError) -> Diagnostic | None:
    """A diagnostic for a refusal that a person can do something about, None for any other error."""
    where = f"`{error.filename}`: " if error.filename else ""
    if error.errno is None:
        return None
    message = f"{where}{os.strerror(error.errno)}"
    if error.errno in _FULL:
        help = "free space there (`df -h` shows where it is short), or work in a folder on another disk"
        return Diagnostic("disk-full", message, help=help)
    if error.errno not in _HELP:
        return None
    return Diagnostic("file-access", message, help=_HELP[error.errno])
