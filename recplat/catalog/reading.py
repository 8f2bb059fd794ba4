"""From an Arrow column to a feature's values. One implementation for files and for a server's requests."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from recplat.catalog.value_types import is_text
from recplat.catalog.values import BadValue, Flat, Keys, Numbers
from recplat.lang.statistics import ValueType

#: Texts that mean a missing number. Of keys only a null is missing: `NA` is a country.
NULL_TEXTS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "\\N")

_NO_NUMBER = "correct it, or leave it empty; a column of texts makes a feature of `type: categorical`"

FLOAT32_MAX = float(np.finfo(np.float32).max)


def read_scalar(array: pa.Array, value_type: ValueType) -> Flat:
    """One value a row, missing ones counted as "nulls" and "non_finite".

    Raises:
        BadValue: a value that is no number, or no whole number, though the type asks for one.
    """
    if value_type == "float64":
        numbers, counts = as_numbers(array)
        return Flat(numbers, None, counts)
    keys = as_keys(array, value_type)
    return Flat(keys, None, {"nulls": int((keys.codes_N < 0).sum())})


def read_lists(array: pa.Array, value_type: ValueType, separator: str | None) -> Flat:
    """Lists of values, missing ones dropped and counted as "list_nulls". A null list is an empty one.

    Raises:
        BadValue: as for `read_scalar`; its index is that of the row.
    """
    num_nulls = array.null_count
    array = _split(array, separator) if separator is not None else array
    items, offsets = flatten(array)
    try:
        flat = read_scalar(items, value_type)
    except BadValue as bad:
        bad.index = int(np.searchsorted(offsets, bad.index, side="right")) - 1
        raise
    is_there = flat.values.codes_N >= 0 if isinstance(flat.values, Keys) else ~np.isnan(flat.values)
    counts = {"nulls": num_nulls, "clipped": flat.counts.get("clipped", 0)}
    if bool(is_there.all()):
        return Flat(flat.values, offsets, counts)
    kept = np.concatenate(([0], np.cumsum(is_there)))[offsets]
    return Flat(_select(flat.values, is_there), kept, counts | {"list_nulls": int((~is_there).sum())})


def keep_ends(flat: Flat, max_length: int, *, last: bool) -> Flat:
    """The last (or first) `max_length` values of each row; those cut off are counted as "truncated"."""
    assert flat.offsets is not None
    lengths = np.diff(flat.offsets)
    kept = np.minimum(lengths, max_length)
    num_cut = int((lengths - kept).sum())
    if num_cut == 0:
        return flat
    starts = flat.offsets[1:] - kept if last else flat.offsets[:-1]
    offsets = np.concatenate(([0], np.cumsum(kept)))
    index = np.repeat(starts - offsets[:-1], kept) + np.arange(offsets[-1])
    return Flat(_select(flat.values, index), offsets, {**flat.counts, "truncated": num_cut})


def flatten(array: pa.Array) -> tuple[pa.Array, NDArray[np.int64]]:
    """The items of all lists and the offsets of the rows in them, shape [B + 1]. A null list is an empty one."""
    if pa.types.is_null(array.type):
        return pa.nulls(0), np.zeros(len(array) + 1, np.int64)
    lengths = pc.list_value_length(array).fill_null(0).to_numpy(zero_copy_only=False)
    return array.flatten(), np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def as_keys(array: pa.Array, value_type: ValueType) -> Keys:
    """The keys of a column.

    Raises:
        BadValue: `value_type` is of whole numbers and a value is none, or it is a text that is not UTF-8.
    """
    array = plain(array)
    if value_type == "string":
        return _encode(_texts(array))
    if pa.types.is_integer(array.type):
        return _encode(_cast(array, pa.int64() if value_type == "int64" else pa.uint64()))
    if pa.types.is_floating(array.type) or pa.types.is_decimal(array.type):
        return _encode(_whole(array))
    if pa.types.is_boolean(array.type) or pa.types.is_null(array.type):
        return _encode(array.cast(pa.int64()))
    texts = _encode(_texts(array))
    return _map_distinct(texts, pa.int64(), "a whole number that fits 64 bits", "write `dtype: string` to keep it text")


def as_numbers(array: pa.Array) -> tuple[Numbers, dict[str, int]]:
    """The numbers of a column as float64, NaN where null, NaN or infinite; those beyond float32 are moved to its end.

    Raises:
        BadValue: a text that is no number.
    """
    array = plain(array)
    if is_text(array.type):
        array = _parse(_blank_to_null(_texts(array)), pa.float64(), "a number", _NO_NUMBER)
    num_nulls = array.null_count
    numbers = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    numbers = np.array(numbers, np.float64)  # a copy: what comes from a file can't be written to
    is_finite = np.isfinite(numbers)
    num_non_finite = int((~is_finite).sum()) - num_nulls
    is_beyond = np.abs(numbers) > FLOAT32_MAX
    numbers[~is_finite] = np.nan
    num_clipped = int((is_beyond & is_finite).sum())
    if num_clipped:
        np.clip(numbers, -FLOAT32_MAX, FLOAT32_MAX, out=numbers)
    return numbers, {"nulls": num_nulls, "non_finite": num_non_finite, "clipped": num_clipped}


def _split(array: pa.Array, separator: str) -> pa.Array:
    pieces = pc.split_pattern(_texts(plain(array)), separator)
    items, offsets = flatten(pieces)
    trimmed = pc.utf8_trim_whitespace(items)
    # `a||b` and an empty text say nothing at that place.
    trimmed = pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, trimmed.type), trimmed)
    is_there = trimmed.is_valid()
    kept = np.concatenate(([0], np.cumsum(is_there.to_numpy(zero_copy_only=False))))[offsets]
    return pa.LargeListArray.from_arrays(pa.array(kept), trimmed.filter(is_there))


def _select(values: Keys | Numbers, which: NDArray[np.generic]) -> Keys | Numbers:
    return Keys(values.distinct, values.codes_N[which]) if isinstance(values, Keys) else values[which]


def _encode(array: pa.Array) -> Keys:
    encoded = array.dictionary_encode()
    return Keys(encoded.dictionary, encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False))


def _map_distinct(keys: Keys, target: pa.DataType, wanted: str, help: str) -> Keys:
    texts = _blank_to_null(keys.distinct)
    try:
        parsed = _parse(texts, target, wanted, help)
    except BadValue as bad:
        bad.index = keys.first_index(np.arange(len(texts)) == bad.index)
        raise
    if parsed.null_count == 0:
        return Keys(parsed, keys.codes_N)
    places = np.cumsum(parsed.is_valid().to_numpy(zero_copy_only=False), dtype=np.int32) - 1
    places = np.where(parsed.is_valid().to_numpy(zero_copy_only=False), places, -1).astype(np.int32)
    return Keys(parsed.drop_null(), keys.spread(places, -1))


def _parse(texts: pa.Array, target: pa.DataType, wanted: str, help: str) -> pa.Array:
    try:
        return texts.cast(target)
    except pa.ArrowInvalid:
        index = next(i for i, text in enumerate(texts) if not _casts(text, target))
        raise BadValue("data-value-type", index, f"`{texts[index]}` is not {wanted}", help) from None


def _casts(value: pa.Scalar, target: pa.DataType) -> bool:
    try:
        value.cast(target)
    except pa.ArrowInvalid:
        return False
    return True


def _cast(array: pa.Array, target: pa.DataType) -> pa.Array:
    try:
        return array.cast(target)
    except pa.ArrowInvalid:
        index = next(i for i, value in enumerate(array) if not _casts(value, target))
        message = f"{array[index]} does not fit the type {target} of the other values"
        raise BadValue("data-value-type", index, message, "write `dtype: string`") from None


def _whole(array: pa.Array) -> pa.Array:
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_finite(array), array, pa.scalar(None, array.type))
    try:
        return array.cast(pa.int64())
    except pa.ArrowInvalid:
        index = next(i for i, value in enumerate(array) if not _casts(value, pa.int64()))
        message = f"{array[index]} is not a whole number that is exact in this column"
        raise BadValue("data-value-type", index, message, "write `dtype: string`, or correct the data") from None


def _texts(array: pa.Array) -> pa.Array:
    if pa.types.is_string(array.type):
        return array
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
    try:
        return array.cast(pa.string())
    except pa.ArrowInvalid:
        index = next(i for i, value in enumerate(array) if not _casts(value, pa.string()))
        raise BadValue("data-value-type", index, "bytes that are not UTF-8", "write the column as UTF-8") from None


def _blank_to_null(texts: pa.Array) -> pa.Array:
    texts = pc.utf8_trim_whitespace(texts)
    is_null = pc.is_in(texts, value_set=pa.array(NULL_TEXTS))
    return pc.if_else(is_null, pa.scalar(None, texts.type), texts)


def plain(array: pa.Array) -> pa.Array:
    """The values without dictionary or extension type around them."""
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
