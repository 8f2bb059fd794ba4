"""Features whose ids are looked up in a table: what they have in common, whatever a row of theirs holds."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from recplat.lang.chains import chain_faults, start_of
from recplat.lang.kinds import Fault, Feature, Transform, Values

_STARTS: tuple[Values, ...] = ("key", "number")


class KeyedFeature(Feature):
    """Reads one column of keys, or of numbers that its transforms turn into ids."""

    gives: ClassVar[Literal["dense", "bag"]] = "bag"
    column: str
    table: str
    dtype: Literal["auto", "string", "int"]
    transform: tuple[Transform, ...]

    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def transforms(self) -> tuple[Transform, ...]:
        return self.transform

    def table_name(self) -> str | None:
        return self.table

    def reads(self) -> Values:
        return start_of(self.transform, starts=_STARTS, ends="id")

    def key_type(self) -> Literal["auto", "string", "int"]:
        return "int" if self.dtype == "auto" and self._takes_integers() else self.dtype

    def faults(self) -> Iterator[Fault]:
        yield from chain_faults(self.transform, starts=_STARTS, ends="id")
        if self.dtype == "string" and self._takes_integers():
            yield Fault(
                code="transform-contradiction",
                field="dtype",
                message="`dtype: string` reads texts, but `identity` takes whole numbers",
                help="write `dtype: int`, or leave it out",
            )

    def _takes_integers(self) -> bool:
        return any(transform.integer_keys for transform in self.transform)
