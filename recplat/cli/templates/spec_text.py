"""A first spec as text: short, commented, and complete enough to run."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from recplat.data.proposal import LeftOut, ProposedFeature, ProposedLabel
from recplat.data.proposal_text import feature_text, label_text, left_out_text, quoted, scalar, together

#: Template -> the model's line. Small layers: a first run should take seconds, and the reference tells the rest.
MODELS = {
    "dlrm": "{type: dlrm, bottom_mlp: [32], top_mlp: [64, 32]}",
    "deepfm": "{type: deepfm, hidden_units: [64, 32]}",
    "dcn_v2": "{type: dcn_v2, num_cross_layers: 2, hidden_units: [64, 32]}",
    "wide_deep": "{type: wide_deep, hidden_units: [64, 32]}",
    "logistic_regression": "{type: logistic_regression}",
}


class Outline(Struct, frozen=True, kw_only=True):
    """What the spec says of the data."""

    path: str  # relative to the spec, or a URL
    delimiter: str | None = None
    column_names: tuple[str, ...] = ()  # of a text file without a header
    label: ProposedLabel
    time: str | None = None  # a column that orders the rows
    num_rows: int
    features: tuple[ProposedFeature, ...]
    left_out: tuple[LeftOut, ...] = ()


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
        f"    source: {_source(outline)}",
        f"    split: {_split(outline)}",
        f"    label: {label_text(outline.label)}",
        "  features:  # one table for each that is not numeric; `recplat explain spec.features` tells what there is",
        *_feature_lines(outline, has_dim=template != "logistic_regression"),
        f"  model: {MODELS[template]}",
        "  train:",
        *(f"    {line}" for line in _train(outline.num_rows)),
        "  evaluate: {metrics: [auc, logloss], best: auc}",
        "# All else has a default; `recplat plan` shows what it comes to.",
    ]
    return "\n".join(lines) + "\n"


def _source(outline: Outline) -> str:
    delimiter = f", delimiter: {quoted(outline.delimiter)}" if outline.delimiter is not None else ""
    names = ", ".join(scalar(name) for name in outline.column_names)
    header = f", header: false, column_names: [{names}]" if names else ""
    return f"{{path: {scalar(outline.path)}{delimiter}{header}}}"


def _split(outline: Outline) -> str:
    if outline.time:
        return f"{{by: time, column: {scalar(outline.time)}, fractions: [0.8, 0.1, 0.1]}}  # the latest rows test"
    return "{by: random, fractions: [0.8, 0.1, 0.1], seed: 1}  # train, eval, test"


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


def _feature_lines(outline: Outline, *, has_dim: bool) -> Iterator[str]:
    for features in together(outline.features):
        options = [(name, value) for name, value in features[0].options if has_dim or name != "dim"]
        yield f"    {feature_text(features, options)}"
    for column in outline.left_out:
        yield f"    {left_out_text(column)}"
