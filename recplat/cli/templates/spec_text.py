"""A first spec as text: short, commented, and complete enough to run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from msgspec import Struct

#: Template -> the model's line. Small layers: a first run should take seconds, and the reference tells the rest.
MODELS = {
    "dlrm": "{type: dlrm, bottom_mlp: [32], top_mlp: [64, 32]}",
    "deepfm": "{type: deepfm, hidden_units: [64, 32]}",
    "dcn_v2": "{type: dcn_v2, num_cross_layers: 2, hidden_units: [64, 32]}",
    "wide_deep": "{type: wide_deep, hidden_units: [64, 32]}",
    "logistic_regression": "{type: logistic_regression}",
}

_DIM = 16


class Features(Struct, frozen=True, kw_only=True):
    """Columns by what they hold; those in none of the four are left out of the spec."""

    keys: tuple[str, ...] = ()
    key_lists: tuple[str, ...] = ()
    divided: tuple[str, ...] = ()  # keys in one text, with `separator` between them
    separator: str = "|"
    numbers: tuple[str, ...] = ()


class Outline(Struct, frozen=True, kw_only=True):
    """What the spec says of the data."""

    path: str  # relative to the spec, or a URL
    label: str
    positive: str | None = None
    time: str | None = None  # a column that orders the rows
    num_rows: int
    features: Features


def spec_text(name: str, template: str, outline: Outline, schema: str | None) -> str:
    """The text of a spec. `schema`: where its JSON Schema is, relative to it."""
    lines = [
        *([f"# yaml-language-server: $schema={schema}"] if schema else []),
        f"# `recplat validate {name}.yaml` finds mistakes, `recplat apply {name}.yaml` trains.",
        "apiVersion: recplat.io/v1alpha1",
        "kind: TrainingJob",
        f"metadata: {{name: {name}}}",
        "spec:",
        "  data:",
        f"    source: {{path: {_scalar(outline.path)}}}",
        f"    split: {_split(outline)}",
        f"    label: {_label(outline)}",
        "  features:  # one table for each that is not numeric; `recplat explain spec.features` tells what there is",
        *_feature_lines(outline.features, has_dim=template != "logistic_regression"),
        f"  model: {MODELS[template]}",
        "  train:",
        *(f"    {line}" for line in _train(outline.num_rows)),
        "  evaluate: {metrics: [auc, logloss], best: auc}",
        "# All else has a default; `recplat plan` shows what it comes to.",
    ]
    return "\n".join(lines) + "\n"


def _split(outline: Outline) -> str:
    if outline.time:
        return f"{{by: time, column: {_scalar(outline.time)}, fractions: [0.8, 0.1, 0.1]}}  # the latest rows test"
    return "{by: random, fractions: [0.8, 0.1, 0.1], seed: 1}  # train, eval, test"


def _label(outline: Outline) -> str:
    if outline.positive:
        return f"{{column: {_scalar(outline.label)}, positive: {_quoted(outline.positive)}}}"
    return f"{{column: {_scalar(outline.label)}}}"


def _train(num_rows: int) -> list[str]:
    """Settings that get somewhere at the first try: some thousand steps in all, whatever the size of the data."""
    if num_rows > 2_000_000:
        return ["batch_size: 4096", "epochs: 1"]
    batch_size = 1024 if num_rows > 50_000 else 128
    # On small data the optimiser's default rate of 0.02 takes many epochs.
    optimizer = "{type: row_wise_adagrad, learning_rate: 0.05}"
    early_stop = "{patience: 2}  # evaluations without a better `best`"
    return [
        f"batch_size: {batch_size}",
        "epochs: 10",
        f"early_stop: {early_stop}",
        f"embedding_optimizer: {optimizer}",
    ]


def _feature_lines(features: Features, *, has_dim: bool) -> list[str]:
    categorical = f"type: categorical{f', dim: {_DIM}' if has_dim else ''}"
    groups = (
        (features.keys, categorical),
        (features.key_lists, f"{categorical}, multivalent: true"),
        (features.divided, f"{categorical}, multivalent: true, separator: {_quoted(features.separator)}"),
        (features.numbers, "type: numeric, transform: zscore"),
    )
    from recplat.data.proposal import feature_names  # here: it loads Arrow, which `init --help` can do without

    names = feature_names([column for columns, _ in groups for column in columns])
    return [f"    - {{{said}, {rest}}}" for columns, rest in groups for said in _names(columns, names)]


def _names(columns: tuple[str, ...], names: Mapping[str, str]) -> Iterator[str]:
    """`name: [a, b]` for the columns that a feature can be called after, and one each for the others."""
    plain = [column for column in columns if names[column] == column]
    if plain:
        said = ", ".join(_scalar(name) for name in plain)
        yield f"name: {said}" if len(plain) == 1 else f"name: [{said}]"
    for column in columns:
        if column not in plain:
            yield f"name: {_scalar(names[column])}, column: {_quoted(column)}"


def _scalar(text: str) -> str:
    """As it is where YAML reads it back as the same string inside a flow mapping, else in quotes."""
    starts_well = text[:1].isalpha() or text.startswith(("/", "./", "../"))
    plain = text.isascii() and starts_well and all(c.isalnum() or c in "_-./" for c in text)
    is_word_of_yaml = text.lower() in {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
    return text if plain and not is_word_of_yaml else _quoted(text)


def _quoted(text: str) -> str:
    # JSON's escapes are YAML's, in double quotes.
    return json.dumps(text, ensure_ascii=False)
