"""How the values of a column are held, from its Arrow types in all files."""

from collections.abc import Sequence

import pyarrow as pa

from recplat.catalog.values import UnfitType
from recplat.lang.statistics import ValueType


def value_type_of(types: Sequence[pa.DataType], *, number: bool, key_type: str) -> ValueType:
    """How the values of a column are held, given its item types in all files. Pure null types go with any other.

    Args:
        number: the feature's transforms begin with numbers.
        key_type: `Feature.key_type`.
    Raises:
        UnfitType: the types can't be read so, or don't go together.
    """
    types = [_plain_type(type_) for type_ in types if not pa.types.is_null(type_)]
    for type_ in types:
        if pa.types.is_nested(type_):
            raise UnfitType(f"holds values of type {type_}", "choose a column of plain values or of lists of them")
    if number:
        for type_ in types:
            check_number(type_)
        return "float64"
    _check_texts_agree(types)
    if key_type == "string":
        return "string"
    if types and all(pa.types.is_integer(type_) for type_ in types):
        return "uint64" if all(type_ == pa.uint64() for type_ in types) else "int64"
    if key_type == "int":
        return "int64"
    if any(pa.types.is_floating(type_) for type_ in types):
        help = "write `dtype: int` if its values are whole numbers, else `dtype: string`"
        raise UnfitType("holds fractional numbers, which make poor keys", help)
    if any(pa.types.is_integer(type_) for type_ in types):
        both = " and ".join(sorted({str(type_) for type_ in types}))
        raise UnfitType(f"is {both} in different files", "write `dtype: string` or `dtype: int`")
    return "string"


def check_number(type_: pa.DataType) -> None:
    """
    Raises:
        UnfitType: a column of that type holds no numbers, booleans or texts, which may all be read as numbers.
    """
    type_ = _plain_type(type_)
    is_number = pa.types.is_null(type_) or pa.types.is_primitive(type_) or is_text(type_) or pa.types.is_decimal(type_)
    if pa.types.is_temporal(type_) or not is_number:
        raise UnfitType(f"is of type {type_}, which is not a number", "choose a column of numbers")


def check_key(type_: pa.DataType) -> None:
    """
    Raises:
        UnfitType: the values of a column of that type are no single keys.
    """
    type_ = _plain_type(type_)
    if pa.types.is_nested(type_):
        raise UnfitType(f"is of type {type_}, which holds no single values", "choose a column of plain values")


def _check_texts_agree(types: Sequence[pa.DataType]) -> None:
    """The same value must be the same key in all files: 1.5 is `1.5` in one decimal type and `1.50` in another."""
    written = {str(type_) for type_ in types if pa.types.is_decimal(type_) or pa.types.is_temporal(type_)}
    if len(written) > 1:
        help = "write the files with one type for this column"
        raise UnfitType(f"is {' and '.join(sorted(written))} in different files", help)


def _plain_type(type_: pa.DataType) -> pa.DataType:
    if isinstance(type_, pa.BaseExtensionType):
        type_ = type_.storage_type
    return type_.value_type if pa.types.is_dictionary(type_) else type_


def is_list(type_: pa.DataType) -> bool:
    """Whether a column of that type holds a list in each row."""
    return bool(pa.types.is_list(type_) or pa.types.is_large_list(type_) or pa.types.is_fixed_size_list(type_))


def is_text(type_: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(type_)
        or pa.types.is_large_string(type_)
        or pa.types.is_string_view(type_)
        or pa.types.is_binary(type_)
        or pa.types.is_large_binary(type_)
    )
