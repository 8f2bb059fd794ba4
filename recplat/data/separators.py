"""Whether a column's texts are several keys each, and what stands between them."""

import re

import pyarrow as pa
import pyarrow.compute as pc

from recplat.catalog.reading import flatten

_SEPARATORS = ("|", ";", ",")
_MIN_SHARE = 0.25  # of the distinct texts, that hold it; those of one key hold none
_MAX_TEXTS = 100_000
_DECIMAL_COMMA = re.compile(r"\s*[+-]?[0-9]*,[0-9]+\s*")


def separator_of(texts: pa.Array) -> str | None:
    """What divides the texts into keys, None where nothing does.

    Keys come again in other texts, so there are no more of them than texts; the parts of titles or of addresses don't.

    Args:
        texts: the distinct values of a column, the most frequent first.
    """
    texts = texts.slice(0, _MAX_TEXTS)
    return next((separator for separator in _SEPARATORS if _divides(separator, texts)), None)


def _divides(separator: str, texts: pa.Array) -> bool:
    held = texts.filter(pc.match_substring(texts, separator))
    if len(held) == 0 or len(held) < _MIN_SHARE * len(texts):
        return False
    if separator == "," and all(_DECIMAL_COMMA.fullmatch(text.as_py()) for text in held):
        return False
    keys = pc.utf8_trim_whitespace(flatten(pc.split_pattern(texts, separator))[0])
    return len(pc.unique(keys)) <= len(texts)
