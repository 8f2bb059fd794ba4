"""Which known name a misspelt one was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD_BREAK = re.compile(r"[\s\-.]+|(?<=[a-z0-9])(?=[A-Z])")


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The known name nearest to `word`, or None when none is close.

    Case, hyphens and camel case don't count as differences. Otherwise one slip in three letters is forgiven; a slip
    is a letter added, left out, replaced, or swapped with its neighbour. Of equally near names the first wins.
    Costs a few microseconds a candidate, so a caller with thousands of faults should ask for the first few only.
    """
    wanted = _plain(word)
    allowed = len(wanted) // 3
    best: str | None = None
    for candidate in candidates:
        if candidate == word:
            return candidate
        known = _plain(candidate)
        if known == wanted:
            best, allowed = candidate, -1  # nothing but the word itself is nearer
        elif allowed > 0 and abs(len(known) - len(wanted)) <= allowed:
            distance = _distance(wanted, known, allowed)
            # The nearer must be strictly nearer, so that the first of equals stays.
            if distance <= allowed:
                best, allowed = candidate, distance - 1
    return best


def _plain(word: str) -> str:
    return _WORD_BREAK.sub("_", word.strip()).lower()


def _distance(left: str, right: str, limit: int) -> int:
    """Damerau-Levenshtein distance (optimal string alignment); anything over `limit` comes back as `limit` + 1."""
    older: list[int] = []
    previous = list(range(len(right) + 1))
    for row, letter in enumerate(left, start=1):
        current = [row]
        for column, other in enumerate(right, start=1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == right[column - 2] and other == left[row - 2]:
                cost = min(cost, older[column - 2] + 1)
            current.append(cost)
        if min(current) > limit and min(previous) > limit:
            return limit + 1
        older, previous = previous, current
    return min(previous[-1], limit + 1)
