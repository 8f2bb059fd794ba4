"""The parser's events to nodes. Nothing here calls itself, so hostile depth can't exhaust the stack."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Protocol

from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from recplat.diagnostics import Location, nearest
from recplat.document import structure_faults as fault
from recplat.document.faults import Faults
from recplat.document.limits import MAX_DEPTH, MAX_EVENTS, MAX_NODES
from recplat.document.measure import Measure
from recplat.document.merge_keys import merged_entries
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence, Value
from recplat.document.paths import join_path
from recplat.document.scalars import resolve
from recplat.document.tags import allows_collection, scalar_value, short

_MAX_SUGGESTIONS = 1000  # anchors to look through; comparing names is slow


class _Mark(Protocol):
    line: int
    column: int


class _Event(Protocol):
    """What is used of PyYAML's events; `anchor` and all below only where the kind of event has it."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    implicit: tuple[bool, bool]
    style: str | None
    flow_style: bool


class _Frame:
    """A map or list that isn't closed yet."""

    __slots__ = ("anchor", "end", "entries", "flow", "items", "merge", "node", "pending")

    def __init__(self, node: Mapping | Sequence, anchor: str | None, flow: bool) -> None:
        self.node = node
        self.anchor = anchor
        self.flow = flow
        self.items = node.items if isinstance(node, Sequence) else None
        self.entries = node.entries if isinstance(node, Mapping) else {}
        self.pending: Entry | None = None  # the key that waits for its value
        self.merge: Entry | None = None  # `<<`
        self.end: Location = node.location  # of the last thing in it


class Builder:
    """Takes one file's events; then `root` is its node and `faults` what is wrong with it."""

    def __init__(self, file: str, faults: Faults) -> None:
        self.root: Node | None = None
        self._file = file
        self._faults = faults
        self._open: list[_Frame] = []
        self._anchors: dict[str, Node | None] = {}  # None: still open
        self._values: dict[str, Value] = {}  # a spec repeats the same few words
        self._measure = Measure()
        self._num_repeated = 0  # nodes that aliases add
        self._num_documents = 0

    def take_all(self, next_event: Callable[[], Any]) -> None:
        """Every event up to the end. Lets the parser's own errors pass.

        Raises:
            StopReading: going on would be unsafe.
        """
        steps: dict[type, Callable[[_Event], None]] = {
            ScalarEvent: self._scalar,
            MappingStartEvent: self._start_map,
            SequenceStartEvent: self._start_list,
            MappingEndEvent: self._end,
            SequenceEndEvent: self._end,
            AliasEvent: self._alias,
            DocumentStartEvent: self._document,
        }
        for _ in range(MAX_EVENTS):
            event = next_event()
            step = steps.get(type(event))
            if step is not None:
                step(event)
            elif type(event) is StreamEndEvent:
                return
            else:
                assert isinstance(event, StreamStartEvent | DocumentEndEvent), event
        raise self._faults.stop(fault.too_many_nodes(self._at(event)))

    def _document(self, event: _Event) -> None:
        self._num_documents += 1
        if self._num_documents > 1:
            raise self._faults.stop(fault.many_documents(self._at(event)))

    def _scalar(self, event: _Event) -> None:
        # The style too, because the parser calls text with tag `!` implicit even in quotes.
        text, plain, location = event.value, event.implicit[0] and not event.style, self._at(event)
        value = self._plain_value(text, location) if plain else self._tagged_value(text, event.tag, location)
        if value.__class__ is str:
            text = value  # one string for all equal ones
        node = Scalar(value, location, text, plain)
        if event.anchor:
            self._anchors[event.anchor] = node
        self._put(node, location)

    def _plain_value(self, text: str, location: Location) -> Value:
        if text in self._values:
            return self._values[text]
        try:
            value = resolve(text)
        except OverflowError:
            self._faults.add(fault.number_too_long(len(text), location, self._path()))
            value = text
        self._values[text] = value
        return value

    def _tagged_value(self, text: str, tag: str | None, location: Location) -> Value:
        if tag is None:
            return text
        try:
            return scalar_value(tag, text)
        except LookupError:
            self._faults.add(fault.unknown_tag(short(tag), location, self._path()))
        except (ValueError, OverflowError) as error:
            self._faults.add(fault.tag_mismatch(str(error), location, self._path()))
        return text

    def _start_map(self, event: _Event) -> None:
        self._start(event, Mapping({}, self._at(event)), "map")

    def _start_list(self, event: _Event) -> None:
        self._start(event, Sequence([], self._at(event)), "list")

    def _start(self, event: _Event, node: Mapping | Sequence, kind: str) -> None:
        if len(self._open) == MAX_DEPTH:
            raise self._faults.stop(fault.too_deep(node.location))
        if event.tag is not None and not allows_collection(event.tag, kind):
            self._faults.add(fault.unknown_tag(short(event.tag), node.location, self._path()))
        if event.anchor:
            self._anchors[event.anchor] = None
        self._open.append(_Frame(node, event.anchor, event.flow_style))

    def _end(self, event: _Event) -> None:
        frame = self._open.pop()
        node = frame.node
        # The parser ends a block where the next thing begins, often many lines on; it ends with its last child.
        last = self._at(event) if frame.flow else frame.end
        start = node.location
        node.location = Location(self._file, start.line, start.column, last.end_line, last.end_column)
        if frame.merge is not None and isinstance(node, Mapping):
            node.entries = self._merged(frame.merge, node.entries)
        if frame.anchor:
            self._anchors[frame.anchor] = node
        self._put(node, node.location)

    def _merged(self, merge: Entry, entries: dict[str, Entry]) -> dict[str, Entry]:
        added = merged_entries(merge.node)
        if added is None:
            self._faults.add(fault.merge_not_map(merge.location, self._path()))
            return entries
        return {**added, **entries}

    def _alias(self, event: _Event) -> None:
        where = self._at(event)
        self._put(self._target(event.anchor or "", where), where)

    def _target(self, name: str, where: Location) -> Node:
        node = self._anchors.get(name)
        if node is None:
            if name in self._anchors:
                self._faults.add(fault.alias_recursive(name, where, self._path()))
            else:
                likely = nearest(name, islice(self._anchors, _MAX_SUGGESTIONS))
                self._faults.add(fault.alias_unknown(name, likely, where, self._path()))
            return Scalar(None, where, "", False)
        if len(self._open) + self._measure.height(node) > MAX_DEPTH:
            raise self._faults.stop(fault.too_deep(where))
        self._num_repeated += self._measure.size(node)
        if self._num_repeated > MAX_NODES:
            raise self._faults.stop(fault.alias_bomb(name, self._measure.size(node), where))
        return node

    def _put(self, node: Node, where: Location) -> None:
        """Takes a finished node that stands at `where`: for an alias that isn't the node's own place."""
        if not self._open:
            self.root = node
            return
        frame = self._open[-1]
        frame.end = where
        if frame.items is not None:
            frame.items.append(node)
        elif frame.pending is not None:
            frame.pending.node = node
            frame.pending = None
        else:
            self._put_key(frame, node, where)

    def _put_key(self, frame: _Frame, node: Node, where: Location) -> None:
        if not isinstance(node, Scalar):
            kind = "map" if isinstance(node, Mapping) else "list"
            self._faults.add(fault.key_not_scalar(kind, where, self._path()))
            frame.pending = Entry("", where, node)  # takes the value, belongs to nothing
            return
        key = node.text
        entry = Entry(key, where, node, node.plain)
        if node.value.__class__ is not str:
            self._faults.add(fault.key_not_string(key, node.value, where, self._path()))
        elif node.plain and key == "<<":
            if frame.merge is not None:
                self._faults.add(fault.duplicate_key(frame.merge, entry, self._path(key)))
            frame.merge = entry
        elif key in frame.entries:
            self._faults.add(fault.duplicate_key(frame.entries[key], entry, self._path(key)))
        else:
            frame.entries[key] = entry
        frame.pending = entry

    def _at(self, event: _Event) -> Location:
        start, end = event.start_mark, event.end_mark
        return Location(self._file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _path(self, *inner: str) -> str:
        """The path of what is being read: as far as it is open, with names for items that have told theirs."""
        segments: list[str | int] = []
        for frame, child in zip(self._open, [*self._open[1:], None], strict=False):
            if frame.items is None:
                segments += [] if frame.pending is None else [frame.pending.key]
            else:
                name = child and child.entries.get("name")
                told = name.node if name and child and name is not child.pending else None
                segments.append(str(told.value) if isinstance(told, Scalar) else len(frame.items))
        return join_path([*segments, *inner])
