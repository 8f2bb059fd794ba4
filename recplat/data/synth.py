"""Made-up rows in Criteo's shape, with a teacher whose AUC is known: the best that any model can reach on them.

Columns: `label`; I1..I13, counts, some missing; C1..C26, texts of 8 hexadecimal digits by Zipf's law, some missing.
B: rows of a chunk; C: categorical columns; K: width of the teacher's vectors.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from recplat.data.table import Progress

NUMERIC = tuple(f"I{index}" for index in range(1, 14))
CATEGORICAL = tuple(f"C{index}" for index in range(1, 27))
METADATA_KEY = "recplat.synth"

_CHUNK_ROWS = 65_536
# Those of Criteo's Kaggle set, cut at 100,000 so that the teacher's tables stay small.
_CARDINALITIES = (
    1460, 583, 100_000, 100_000, 305, 24, 12_517, 633, 3, 93_145, 5683, 100_000, 3194,
    27, 14_992, 100_000, 10, 5652, 2173, 4, 100_000, 18, 15, 100_000, 105, 100_000,
)  # fmt: skip
_ZIPF_EXPONENT = 1.1
_MISSING_NUMBERS = 0.1
_MISSING_KEYS = 0.03
_POSITIVE_RATE = 0.25
_LOGIT_SPREAD = 1.8
_WIDTH = 4
#: Pairs of categorical columns whose vectors meet in the teacher, and of a number with a categorical column.
_KEY_PAIRS = ((0, 1), (4, 13), (5, 8), (7, 16), (2, 10), (19, 22), (14, 24), (6, 17))
_NUMBER_PAIRS = ((0, 4), (3, 7), (6, 0), (9, 13))
# Streams of random numbers: the teacher, its calibration, and one for each chunk of rows.
_TEACHER, _CALIBRATION, _ROWS = range(3)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was written; kept in the file's metadata too."""

    num_rows: int
    seed: int
    positive_rate: float
    teacher_auc: float  # of the teacher's probabilities against the labels that were drawn
    expected_auc: float  # the same in the mean over all ways to draw labels


def write_criteo(path: Path, num_rows: int, seed: int, *, progress: Progress | None = None) -> Report:
    """Writes `num_rows` rows as Parquet; the first n rows depend on `seed` alone. Keeps 9 bytes a row in memory."""
    teacher = _Teacher(seed)
    schema = _schema()
    logits: list[NDArray[np.float64]] = []
    labels: list[NDArray[np.uint8]] = []
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with pq.ParquetWriter(temporary, schema) as writer:
            for chunk, start in enumerate(range(0, num_rows, _CHUNK_ROWS)):
                rng = np.random.default_rng((seed, _ROWS, chunk))
                drawn = _draw(rng)
                logits_B = teacher.logits(drawn)
                labels_B = (rng.random(_CHUNK_ROWS) < _sigmoid(logits_B)).astype(np.uint8)
                wanted = min(_CHUNK_ROWS, num_rows - start)
                writer.write_batch(_record_batch(drawn, labels_B, teacher, schema).slice(0, wanted))
                logits.append(logits_B[:wanted])
                labels.append(labels_B[:wanted])
                if progress is not None:
                    progress("rows", start + wanted, num_rows)
            report = _report(np.concatenate(logits), np.concatenate(labels), seed)
            writer.add_key_value_metadata({METADATA_KEY: json.dumps(msgspec.to_builtins(report))})
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return report


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A chunk of rows before the label. Missing: NaN among numbers, -1 among ids."""

    numbers: list[NDArray[np.float64]]  # one [B] each
    ids: list[NDArray[np.int64]]


def _draw(rng: np.random.Generator) -> _Drawn:
    numbers = []
    for index in range(len(NUMERIC)):
        counts = np.floor(np.exp(rng.normal(1 + 0.3 * (index % 5), 1.0, _CHUNK_ROWS)))
        numbers.append(np.where(rng.random(_CHUNK_ROWS) < _MISSING_NUMBERS, np.nan, counts))
    ids = []
    for cardinality in _CARDINALITIES:
        drawn = _zipf(rng.random(_CHUNK_ROWS), cardinality)
        ids.append(np.where(rng.random(_CHUNK_ROWS) < _MISSING_KEYS, -1, drawn))
    return _Drawn(numbers, ids)


def _zipf(uniform: NDArray[np.float64], cardinality: int) -> NDArray[np.int64]:
    """Ids 0..cardinality-1 with frequency about (id + 1) ^ -exponent, by the inverse of the continuous law."""
    power = 1 - _ZIPF_EXPONENT
    places = (1 + uniform * ((cardinality + 1.0) ** power - 1)) ** (1 / power)
    return np.asarray(np.minimum(places.astype(np.int64), cardinality) - 1, np.int64)


class _Teacher:
    """A logistic model with first-order weights and pairwise interactions, over nothing but what the file shows."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng((seed, _TEACHER))
        # One row more, all zeros, for the missing key: id -1 is the last row.
        self._weights = [np.append(rng.normal(0, 1, size), 0.0) for size in _CARDINALITIES]
        self._vectors = {c: _with_zeros(rng, _CARDINALITIES[c]) for c in sorted({c for p in _KEY_PAIRS for c in p})}
        self._slopes = {c: np.append(rng.normal(0, 1, _CARDINALITIES[c]), 0.0) for _, c in _NUMBER_PAIRS}
        self._number_weights = rng.normal(0, 1, len(NUMERIC))
        self.texts = [_texts(column, size) for column, size in enumerate(_CARDINALITIES)]
        self._scale, self._shift = 1.0, 0.0
        raw = self.logits(_draw(np.random.default_rng((seed, _CALIBRATION))))
        self._scale = _LOGIT_SPREAD / float(raw.std())
        self._shift = _shift_for(raw * self._scale)

    def logits(self, drawn: _Drawn) -> NDArray[np.float64]:
        """Log odds of a positive label, shape [B]."""
        numbers = [np.nan_to_num((np.log1p(x) - 1.8), nan=0.0) for x in drawn.numbers]
        total = 0.6 * sum(w * x for w, x in zip(self._number_weights, numbers, strict=True))
        total = total + 0.6 * sum(weights[ids] for weights, ids in zip(self._weights, drawn.ids, strict=True))
        for left, right in _KEY_PAIRS:
            vectors = self._vectors[left][drawn.ids[left]] * self._vectors[right][drawn.ids[right]]
            total = total + vectors.sum(axis=1) / _WIDTH**0.5 * 1.2
        for number, key in _NUMBER_PAIRS:
            total = total + self._slopes[key][drawn.ids[key]] * numbers[number]
        return np.asarray(total * self._scale + self._shift, np.float64)


def _with_zeros(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    return np.concatenate([rng.normal(0, 1, (size, _WIDTH)), np.zeros((1, _WIDTH))])


def _texts(column: int, size: int) -> pa.Array:
    """A text for each id: 8 hexadecimal digits of a number that an odd factor makes unlike its neighbours."""
    numbers = ((np.arange(size, dtype=np.uint64) * 2_654_435_761 + column * 97) % 2**32).astype(">u4")
    nibbles = np.stack([numbers.view(np.uint8).reshape(-1, 4) >> 4, numbers.view(np.uint8).reshape(-1, 4) & 15], axis=2)
    digits = np.frombuffer(b"0123456789abcdef", np.uint8)[nibbles.reshape(-1, 8)]
    return pa.array(digits.reshape(-1).view("S8")).cast(pa.string())


def _shift_for(logits: NDArray[np.float64]) -> float:
    """What to add to logits so that the mean probability is the wanted rate; by bisection."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _sigmoid(logits + middle).mean() < _POSITIVE_RATE else (low, middle)
    return low


def _sigmoid(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 * (1 + np.tanh(0.5 * logits))


def _schema() -> pa.Schema:
    fields = [("label", pa.int8()), *((name, pa.int32()) for name in NUMERIC)]
    return pa.schema([*fields, *((name, pa.string()) for name in CATEGORICAL)])


def _record_batch(drawn: _Drawn, labels_B: NDArray[np.uint8], teacher: _Teacher, schema: pa.Schema) -> pa.RecordBatch:
    numbers = [pa.array(np.nan_to_num(x).astype(np.int32), mask=np.isnan(x)) for x in drawn.numbers]
    keys = [texts.take(pa.array(ids, mask=ids < 0)) for texts, ids in zip(teacher.texts, drawn.ids, strict=True)]
    return pa.RecordBatch.from_arrays([pa.array(labels_B.astype(np.int8)), *numbers, *keys], schema=schema)


def _report(logits_N: NDArray[np.float64], labels_N: NDArray[np.uint8], seed: int) -> Report:
    order = np.argsort(logits_N)
    probabilities = _sigmoid(logits_N[order])
    drawn = labels_N[order].astype(np.float64)
    return Report(
        num_rows=len(labels_N),
        seed=seed,
        positive_rate=float(labels_N.mean()),
        teacher_auc=_auc(logits_N[order], drawn, drawn * (1 - drawn)),
        expected_auc=_auc(logits_N[order], probabilities, probabilities * (1 - probabilities)),
    )


def _auc(sorted_scores: NDArray[np.float64], positive: NDArray[np.float64], own: NDArray[np.float64]) -> float:
    """Chance that a positive row scores above a negative one, ties half, rows being positive to a degree.

    `own`: each row's weight as a pair with itself, which doesn't count.
    """
    negative = 1 - positive
    firsts = np.flatnonzero(np.concatenate(([True], sorted_scores[1:] != sorted_scores[:-1])))
    positive_T, negative_T, own_T = (np.add.reduceat(x, firsts) for x in (positive, negative, own))
    below_T = np.cumsum(negative_T) - negative_T
    better = float((positive_T * below_T).sum()) + 0.5 * float((positive_T * negative_T - own_T).sum())
    pairs = float(positive.sum()) * float(negative.sum()) - float(own.sum())
    return better / pairs if pairs > 0 else float("nan")
