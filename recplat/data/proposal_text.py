"""A proposal as YAML text, with reasons in comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from recplat.data.proposal import LeftOut, Proposal, ProposedFeature, ProposedLabel

_WORDS_OF_YAML = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def proposal_text(proposal: Proposal) -> str:
    """A `features:` section that a spec can hold, column by column; what to write of the label stands in a comment."""
    lines = ["features:"]
    for column in proposal.columns:
        label = proposal.label
        if isinstance(column, ProposedFeature):
            lines.append(f"  {feature_text([column], column.options)}")
        elif label is not None and label.positive is not None and label.column == column.column:
            lines.append(f"  {left_out_text(column)}, as in `label: {label_fields(label)}`")
        else:
            lines.append(f"  {left_out_text(column)}")
    return "\n".join(lines) + "\n"


def label_text(label: ProposedLabel) -> str:
    return label_fields(label) + _comment(label.note)


def label_fields(label: ProposedLabel) -> str:
    positive = f", positive: {quoted(label.positive)}" if label.positive is not None else ""
    return f"{{column: {scalar(label.column)}{positive}}}"


def feature_text(features: Sequence[ProposedFeature], options: Sequence[tuple[str, str]]) -> str:
    """One line for features that have these options in common; several are all called after their columns."""
    first = features[0]
    names = [scalar(feature.name) for feature in features]
    fields = [f"name: {names[0]}" if len(names) == 1 else f"name: [{', '.join(names)}]"]
    fields += [f"column: {quoted(first.column)}"] if first.name != first.column else []
    fields += [f"{name}: {value}" for name, value in options]
    return f"- {{{', '.join(fields)}}}" + _comment(first.note)


def left_out_text(column: LeftOut) -> str:
    return f"# {' '.join(column.column.split())}: {column.reason}"


def together(features: Sequence[ProposedFeature]) -> Iterator[list[ProposedFeature]]:
    """Features that one line can name: the same options, no other column, nothing to remark."""
    groups: dict[object, list[ProposedFeature]] = {}
    for feature in features:
        is_plain = feature.name == feature.column and feature.note is None
        groups.setdefault(feature.options if is_plain else feature, []).append(feature)
    yield from groups.values()


def scalar(text: str) -> str:
    """As it is where YAML reads it back as the same string inside a flow mapping, else in quotes."""
    starts_well = text[:1].isalpha() or text.startswith(("_", "/", "./", "../"))
    plain = text.isascii() and starts_well and all(c.isalnum() or c in "_-./" for c in text)
    return text if plain and text.lower() not in _WORDS_OF_YAML else quoted(text)


def quoted(text: str) -> str:
    # JSON's escapes are YAML's, in double quotes.
    return json.dumps(text, ensure_ascii=False)


def _comment(note: str | None) -> str:
    return f"  # {note}" if note is not None else ""
