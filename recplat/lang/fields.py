"""Field types of the spec language, and what a field may say of itself beyond its type.

A field's description, bounds and examples are `msgspec.Meta`; what the authoring form allows besides the normal
form is one of the `extra` marks below. The schema generator and the normaliser read both.
"""

from typing import Annotated, Any

from msgspec import Meta


def doc(description: str, *examples: Any, **bounds: Any) -> Meta:
    """What a field says: a description (with the unit), examples, and msgspec bounds such as `ge` or `pattern`."""
    return Meta(description=description, examples=list(examples) or None, **bounds)


#: One value may be written in place of a list of one: `transform: zscore`.
ONE_OR_MANY = Meta(extra={"one_or_many": True})

#: A path, relative to the file that says it; the normal form holds a URL, an absolute path or `project:PATH`.
IS_PATH = Meta(extra={"path": True})

#: Written by people only; the normal form says the same in another place, named in the field's description.
AUTHORING_ONLY = Meta(extra={"authoring_only": True})


def default(value: Any) -> Meta:
    """What an author's silence means, in authoring form; the normaliser writes it out."""
    return Meta(extra={"default": value})


#: By default the value of the sibling field `name`.
DEFAULT_NAME = Meta(extra={"default_from": "name"})


def renamed_from(name: str) -> Meta:
    """The name that this field had before: still read, with a warning and the edit that `recplat migrate` makes."""
    return Meta(extra={"renamed_from": name})


def looks_like(words: str) -> Meta:
    """What a text must look like, in words, where its pattern is too much to read."""
    return Meta(extra={"looks_like": words})


#: The name of a column of the data.
IS_COLUMN = Meta(extra={"column": True})

# `\Z`, since in Python `$` also matches before a line break at the end; schemas say `$`, which is the same elsewhere.
# No lookahead: Kubernetes reads patterns as RE2.
NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_-]*\Z"
_ABOVE_0 = r"([0-9]*[1-9][0-9]*(\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)"
BYTES_PATTERN = rf"^{_ABOVE_0}(B|KiB|MiB|GiB|TiB)\Z"
DURATION_PATTERN = rf"^{_ABOVE_0}(ms|s|m|h|d)\Z"

Name = Annotated[
    str,
    Meta(pattern=NAME_PATTERN, max_length=200),
    looks_like("a letter or `_`, then letters, digits, `_` and `-`"),
]
Column = Annotated[str, Meta(min_length=1, max_length=500), IS_COLUMN]
Path = Annotated[str, Meta(min_length=1, max_length=4096), IS_PATH]
Bytes = Annotated[
    str,
    Meta(pattern=BYTES_PATTERN, max_length=40, examples=["32GiB", "512MiB"]),
    looks_like("a number above 0 and B, KiB, MiB, GiB or TiB, without a space"),
]
Duration = Annotated[
    str,
    Meta(pattern=DURATION_PATTERN, max_length=40, examples=["15m", "90s"]),
    looks_like("a number above 0 and ms, s, m, h or d, without a space"),
]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]

# Bounds stand inside an optional type (`Count | None`): msgspec does not take them around it.
Count = Annotated[int, Meta(ge=1)]
Index = Annotated[int, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]
Character = Annotated[str, Meta(min_length=1, max_length=1)]
