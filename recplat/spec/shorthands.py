"""What authors may write in place of the normal form, in sentences, for `recplat explain`."""

from collections.abc import Iterator
from typing import Any

import msgspec.inspect as inspect

from recplat.catalog import Catalog
from recplat.spec.describe import kind_of
from recplat.spec.typeinfo import FieldInfo, fields_of, unwrap
from recplat.spec.words import listed, quoted


def shorthands(field: FieldInfo, definition: str, catalog: Catalog) -> Iterator[str]:
    """Sentences about one field.

    Args:
        definition: the name of the section or catalog entry that has it, as in the schema.
    """
    if field.name == "name" and (definition == "Table" or definition.startswith("features.")):
        yield "`name: [a, b]` repeats the line for each name."
    info = field.type
    if field.marks.get("one_or_many") and isinstance(info, inspect.VarTupleType):
        yield "One may stand alone, without a list around it."
        info = unwrap(info.item_type)[0]
    kind = kind_of(info) if isinstance(info, inspect.CustomType) else None
    if kind and kind != "toggles":
        bare = [name for name in catalog.names(kind) if _needs_nothing(catalog.options(kind, name))]
        if bare:
            yield f"A name alone will do: {listed(quoted(bare), 'or')}."
    if kind == "toggles":
        yield "Each is `auto`, `true`, `false`, or its options; one that is not named is `auto`."
    if field.marks.get("path"):
        yield "A path counts from the folder of the file that says it."
    if isinstance(info, inspect.IntType | inspect.FloatType | inspect.BoolType):
        yield "`${NAME}` without quotes takes the value from the environment."
    if old := field.marks.get("renamed_from"):
        yield f"Its older name `{old}` is still read, with a warning."


def toggle_shorthands(name: str, options: type[Any]) -> Iterator[str]:
    yield f"`{name}: auto`, `true` and `false` say its mode alone."
    if options.shorthand is not None:
        yield f"A value of `{options.shorthand}` may stand alone too, and switches it on."


def _needs_nothing(options: type[Any]) -> bool:
    return all(
        not field.is_required or not field.marks.keys().isdisjoint(("default", "default_from"))
        for field in fields_of(options)
    )
