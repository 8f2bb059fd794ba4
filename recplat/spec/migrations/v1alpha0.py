"""v1alpha0 -> v1alpha1.

| v1alpha0 | v1alpha1 |
|---|---|
| `spec.embeddings` with `num_embeddings`, `embedding_dim` | `spec.tables` with `rows`, `dim` |
| features of type `dense`, `single_id`, `multi_id` | `numeric`, `categorical`, `categorical` with `multivalent: true` |
| `embedding_dim` of a feature | `dim` |
| `train.optimizer.dense`, `train.optimizer.sparse` | `train.dense_optimizer`, `train.embedding_optimizer` |
| `lr` of an optimiser | `learning_rate` |
"""

import re
from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.document import Entry, Mapping, Node, Scalar, Sequence
from recplat.spec.text_edits import TextEdits

VERSION = "recplat.io/v1alpha0"

_FEATURE_TYPES = {"dense": "numeric", "single_id": "categorical", "multi_id": "categorical"}
_OPTIMIZERS = {"dense": "dense_optimizer", "sparse": "embedding_optimizer"}


def rewrite(root: Node, text: TextEdits) -> Iterator[Diagnostic]:
    """Put the changes of one file into `text`; what a person must change first is a diagnostic."""
    spec = _inner(root, "spec")
    _tables(spec, text)
    for item in _items(_inner(spec, "features")):
        _feature(item, text)
    yield from _optimizers(_inner(spec, "train"), text)


def _tables(spec: Node | None, text: TextEdits) -> None:
    tables = spec.entries.get("embeddings") if isinstance(spec, Mapping) else None
    if tables is None:
        return
    text.rename(tables, "tables")
    for item in _items(tables.node):
        _rename(item, "num_embeddings", "rows", text)
        _rename(item, "embedding_dim", "dim", text)
        _rename(_inner(item, "optimizer"), "lr", "learning_rate", text)


def _feature(item: Node, text: TextEdits) -> None:
    _rename(item, "embedding_dim", "dim", text)
    kind = item.entries.get("type") if isinstance(item, Mapping) else None
    if kind is None or not isinstance(kind.node, Scalar) or kind.node.value not in _FEATURE_TYPES:
        return
    assert isinstance(item, Mapping)
    text.set_value(kind.node, _FEATURE_TYPES[str(kind.node.value)])
    if kind.node.value == "multi_id" and "multivalent" not in item.entries:
        text.add_beside(kind, item, "multivalent: true")


def _optimizers(train: Node | None, text: TextEdits) -> Iterator[Diagnostic]:
    """`optimizer` goes, what is in it moves up."""
    around = train.entries.get("optimizer") if isinstance(train, Mapping) else None
    if around is None or not isinstance(around.node, Mapping) or not isinstance(train, Mapping):
        return
    for key, entry in around.node.entries.items():
        if key in _OPTIMIZERS:
            text.rename(entry, _OPTIMIZERS[key])
        _rename(entry.node, "lr", "learning_rate", text)
    if text.is_flow(train):
        yield from _without_braces(around, text)
    elif text.is_flow(around.node):
        yield from _on_lines_of_their_own(around, text)
    else:
        yield from _one_level_up(around, text)


def _without_braces(around: Entry, text: TextEdits) -> Iterator[Diagnostic]:
    """In braces within braces: `{optimizer: {dense: adam}}` -> `{dense: adam}`."""
    start, (inner_start, inner_end) = text.span(around.location)[0], text.span(around.node.location)
    if not re.fullmatch(r"\S+:\s*", text.text[start:inner_start]) or text.text[inner_start] != "{":
        yield _by_hand(around)
        return
    text.replace(start, inner_start + 1, "")
    text.replace(inner_end - 1, inner_end, "")


def _on_lines_of_their_own(around: Entry, text: TextEdits) -> Iterator[Diagnostic]:
    """In braces on one line below `train:`."""
    where = around.node.location
    start, inner_start = text.span(around.location)[0], text.span(where)[0]
    entries = list(around.node.entries.values()) if isinstance(around.node, Mapping) else []
    if where.line != where.end_line or not re.fullmatch(r"\S+:\s*", text.text[start:inner_start]) or not entries:
        yield _by_hand(around)
        return
    indent = " " * (around.location.column - 1)
    position = start
    for index, entry in enumerate(entries):
        key_start = text.span(entry.location)[0]
        text.replace(position, key_start, f"{text.line_break}{indent}" if index else "")
        position = text.span(entry.node.location)[1]
    text.replace(position, text.span(where)[1], "")


def _one_level_up(around: Entry, text: TextEdits) -> Iterator[Diagnostic]:
    """On lines of its own: the line of the key goes, those below it move to the left."""
    inner, key = around.node.location, around.location
    start = text.span(key)[0]
    line_end = text.line_start(key.line + 1)
    rest = re.fullmatch(r"\S+:[ \t]*(#.*?)?(\r\n|\r|\n)", text.text[start:line_end])
    if inner.line == key.line or rest is None:
        yield _by_hand(around)
        return
    if rest[1]:
        text.replace(start, start + rest.start(1), "")  # its comment stays, on a line of its own
    else:
        text.replace(text.line_start(key.line), line_end, "")
    depth = inner.column - key.column
    for line in range(key.line + 1, inner.end_line + 1):
        begin = text.line_start(line)
        if text.text[begin : begin + depth].isspace() and "\n" not in text.text[begin : begin + depth]:
            text.replace(begin, begin + depth, "")


def _by_hand(around: Entry) -> Diagnostic:
    return Diagnostic(
        "migrate-by-hand",
        f"`{around.key}` is written in a way that can't be taken apart by itself",
        help="write what is in it on lines of its own, without an anchor, and run `recplat migrate` again",
        location=around.location,
    )


def _rename(node: Node | None, old: str, new: str, text: TextEdits) -> None:
    entry = node.entries.get(old) if isinstance(node, Mapping) else None
    if entry is not None and isinstance(node, Mapping) and new not in node.entries:
        text.rename(entry, new)


def _inner(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def _items(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, Sequence) else []
