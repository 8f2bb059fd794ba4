"""`apiVersion` and `kind`: which documents this version of recplat reads as they are."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic, nearest
from recplat.document import Mapping, Node, Scalar
from recplat.spec.types import API_VERSION

#: Versions that `recplat migrate` rewrites.
OLD_VERSIONS = ("recplat.io/v1alpha0",)
KINDS = ("TrainingJob",)


#: Codes of faults that keep everything else from being understood.
UNREADABLE = ("wrong-type", "old-api-version")


def check_version(root: Node) -> Iterator[Diagnostic]:
    """What is wrong with the document as a whole; a missing field is the schema's to report."""
    if not isinstance(root, Mapping):
        yield Diagnostic(
            "wrong-type",
            "a spec must be a map of fields",
            help="start with `apiVersion`, `kind`, `metadata` and `spec`; `recplat init` writes one that runs",
            location=root.location,
        )
        return
    version, kind = root.get("apiVersion"), root.get("kind")
    if isinstance(version, Scalar) and version.value in OLD_VERSIONS:
        yield Diagnostic(
            "old-api-version",
            f"`{version.text}` is an older version of the language",
            help="run `recplat migrate` on the file: it rewrites it and keeps your comments",
            path="apiVersion",
            location=version.location,
        )
    elif isinstance(version, Scalar) and version.value is not None and version.value != API_VERSION:
        yield Diagnostic(
            "unknown-api-version",
            f"`{version.text}` is no version of the language that this recplat knows",
            help=f"write `apiVersion: {API_VERSION}`, or install the recplat that the spec was written for",
            path="apiVersion",
            location=version.location,
        )
    if isinstance(kind, Scalar) and kind.value is not None and kind.value not in KINDS:
        close = nearest(str(kind.value), KINDS)
        yield Diagnostic(
            "unknown-kind",
            f"there is no kind `{kind.text}`",
            help=f"did you mean `{close}`?" if close else f"known: {', '.join(KINDS)}",
            path="kind",
            location=kind.location,
        )
