"""In what two normal forms differ, as `params.flatten` gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

#: Lists of named things. Their order counts: the model's input is put together in it.
NAMED_LISTS = ("features", "tables")

#: What a position in training depends on: which rows a batch holds, and what is made of them.
_FIXED = ("spec.data.", "spec.features", "spec.tables", "spec.model.", "spec.train.batch_size", "spec.train.seed")


class Change(Struct, frozen=True, kw_only=True):
    """A field with its two values; None where a side does not have it."""

    path: str
    before: str | None
    after: str | None

    @property
    def moves_rows(self) -> bool:
        """Whether a position in training means other rows, or another model, than before."""
        return self.path.startswith(_FIXED)

    @property
    def words(self) -> str:
        return f"{self.path} {_shown(self.before)} -> {_shown(self.after)}"


def spec_changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Change, ...]:
    """Fields that differ; features that only one side has, and tables likewise, are one change together."""
    return (*_list_changes(before, after), *_field_changes(before, after))


def names_in(fields: Mapping[str, str], kind: str) -> tuple[str, ...]:
    """Names of the features or tables, in the order of the spec."""
    prefix = f"spec.{kind}."
    return tuple(dict.fromkeys(path[len(prefix) :].partition(".")[0] for path in fields if path.startswith(prefix)))


def missing_names(fields: Mapping[str, str], others: Mapping[str, str], kind: str) -> tuple[str, ...]:
    """Names of the features or tables that `others` lacks."""
    known = set(names_in(others, kind))
    return tuple(name for name in names_in(fields, kind) if name not in known)


def list_and_name(path: str) -> tuple[str, str] | None:
    """Which feature or table a field belongs to: `spec.features.age.type` to ("features", "age")."""
    parts = path.split(".", 3)
    return (parts[1], parts[2]) if len(parts) > 2 and parts[0] == "spec" and parts[1] in NAMED_LISTS else None


def _list_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    for kind in NAMED_LISTS:
        gone, new = missing_names(before, after, kind), missing_names(after, before, kind)
        if gone or new:
            yield Change(path=f"spec.{kind}", before=", ".join(gone) or None, after=", ".join(new) or None)
        elif (old := names_in(before, kind)) != (now := names_in(after, kind)):
            yield Change(path=f"spec.{kind} (order)", before=", ".join(old), after=", ".join(now))


def _field_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    left_out = _one_sided(before, after)
    for path in {**before, **after}:
        if before.get(path) != after.get(path) and list_and_name(path) not in left_out:
            yield Change(path=path, before=before.get(path), after=after.get(path))


def _one_sided(a: Mapping[str, str], b: Mapping[str, str]) -> set[tuple[str, str]]:
    """(list, name) of the features and tables that are in one alone."""
    return {(kind, name) for kind in NAMED_LISTS for name in missing_names(a, b, kind) + missing_names(b, a, kind)}


def _shown(value: str | None) -> str:
    return "(none)" if value is None else value
