"""Which transform may follow which: checked from what each takes and gives, without data."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from recplat.lang.kinds import Fault, Transform, Values

_WORDS: dict[Values, str] = {"key": "keys", "number": "numbers", "id": "ids"}
_ENDINGS: dict[Values, str] = {
    "number": "end it with numbers, for instance `log1p` or `zscore`; a `categorical` feature takes ids",
    "id": "end it with `vocabulary`, `hash` or `identity` for keys, or `boundaries` for numbers",
    "key": "end it with keys",
}


class _Walk(NamedTuple):
    """How far a chain holds: `position` is that of the first transform that can't take `values`."""

    start: Values
    position: int
    values: Values


def start_of(transforms: Sequence[Transform], *, starts: Sequence[Values], ends: Values) -> Values:
    """What a column must be read as for this chain: the first of `starts` with which it holds.

    Raises:
        ValueError: it holds with none; `chain_faults` says why.
    """
    for start in starts:
        walk = _walk(transforms, start)
        if walk.position == len(transforms) and walk.values == ends:
            return start
    raise ValueError("the transforms don't fit together")


def chain_faults(transforms: Sequence[Transform], *, starts: Sequence[Values], ends: Values) -> Iterator[Fault]:
    """What is wrong in a chain that begins with one of `starts` and must give `ends`, and in its transforms alone."""
    for position, transform in enumerate(transforms):
        for fault in transform.faults():
            yield replace(fault, field=f"transform.{position}.{fault.field}")
    walks = [_walk(transforms, start) for start in starts]
    if any(walk.position == len(transforms) and walk.values == ends for walk in walks):
        return
    furthest = max(walks, key=lambda walk: walk.position)
    if furthest.position < len(transforms):
        yield _does_not_follow(transforms, furthest)
    else:
        yield _ends_wrong(transforms, furthest, ends)


def name_of(transform: Transform) -> str:
    """The name a spec gives the transform: its `type`."""
    return str(type(transform).__struct_config__.tag)  # type: ignore[attr-defined]


def _walk(transforms: Sequence[Transform], start: Values) -> _Walk:
    values = start
    for position, transform in enumerate(transforms):
        if values not in transform.takes:
            return _Walk(start, position, values)
        values = transform.gives or values
    return _Walk(start, len(transforms), values)


def _does_not_follow(transforms: Sequence[Transform], walk: _Walk) -> Fault:
    name = name_of(transforms[walk.position])
    takes = " or ".join(_WORDS[values] for values in transforms[walk.position].takes)
    remedy = "remove it, or put it where it gets them"
    if walk.position == 0:
        message = f"this feature's column gives {_WORDS[walk.values]}, which `{name}` does not take"
        remedy = "choose another transform, or another `type` of feature"
    else:
        before = name_of(transforms[walk.position - 1])
        message = f"`{before}` gives {_WORDS[walk.values]}, so `{name}` can't follow"
    return Fault(
        code="transform-order",
        field=f"transform.{walk.position}",
        message=message,
        help=f"`{name}` takes {takes}: {remedy}",
    )


def _ends_wrong(transforms: Sequence[Transform], walk: _Walk, ends: Values) -> Fault:
    last = f"`{name_of(transforms[-1])}` gives" if transforms else "no transform leaves"
    return Fault(
        code="transform-order",
        field=f"transform.{len(transforms) - 1}" if transforms else "transform",
        message=f"{last} {_WORDS[walk.values]}, but this feature needs {_WORDS[ends]}",
        help=_ENDINGS[ends],
    )
