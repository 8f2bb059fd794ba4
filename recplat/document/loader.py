"""The spec as a whole: a file, all that it extends, overlays, `--set`, and variables."""

from __future__ import annotations

import os
from collections.abc import Mapping as Map
from collections.abc import Sequence as Many
from contextlib import suppress
from pathlib import Path

from recplat.diagnostics import Location, Problems
from recplat.document.collector import collector_paused
from recplat.document.faults import Faults, StopReading
from recplat.document.layers import Layers
from recplat.document.merge import merge
from recplat.document.named import item_name
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from recplat.document.paths import split_path
from recplat.document.sets import SET_FILE, apply_setting, read_settings
from recplat.document.variables import substitute


class Document:
    """A spec as it counts, and the files that it came from.

    Attributes:
        root: everything merged, variables replaced. Each node's `location.file` is the file its value came from.
        files: absolute paths of all files read: the spec, what it extends, then overlays.
        directory: absolute path of the folder of the spec itself.
        sources: text by file name as in `Location`.
    """

    def __init__(self, root: Mapping, main: str, files: tuple[str, ...], sources: dict[str, str]) -> None:
        self.root = root
        self.files = files
        self.sources = sources
        self._working_directory = Path.cwd()
        self.directory = self._working_directory / Path(main).parent

    def source(self, file: str) -> str | None:
        """The text of a file for `render_text`; None for one that isn't part of this document."""
        return self.sources.get(file)

    def locate(self, path: str) -> Location:
        """Where `path` stands, or the closest thing around it; paths as in `Diagnostic.path`."""
        node: Node = self.root
        place = node.location
        for segment in split_path(path):
            if isinstance(node, Mapping) and segment.text in node.entries:
                entry = node.entries[segment.text]
                node, place = entry.node, entry.place
            elif isinstance(node, Sequence) and (item := _item(node, segment.text)) is not None:
                node, place = item, _item_place(item)
            else:
                break
        return place

    def origin(self, node: Node | Entry) -> Path:
        """The folder that a relative path in this value counts from: its file's, or for `--set` the working one."""
        file = node.location.file
        return self._working_directory if file == SET_FILE else self._working_directory / Path(file).parent


def load(
    path: str | os.PathLike[str],
    *,
    overlays: Many[str | os.PathLike[str]] = (),
    sets: Many[str] = (),
    env: Map[str, str] = os.environ,
    texts: Map[Path, str] | None = None,
) -> Document:
    """Reads a spec: `path` over what it extends, then each overlay, then each `--set`, then variables.

    Args:
        texts: what counts as the content of a file, by its resolved path, in place of what lies there.
    Raises:
        Problems: all that is wrong. Faults in any file hide those in paths of `--set` and in variables, which need
            the whole.
    """
    main = os.fspath(path)
    layers, faults = Layers(env, texts or {}), Faults()
    root: Mapping | None = None
    with collector_paused(), suppress(StopReading):
        roots = [layers.read(os.fspath(file)) for file in (main, *overlays)]
        settings = read_settings(sets, faults)
        if not layers.found and not faults.found:
            root = _merged(roots)
            for setting in settings:
                root = apply_setting(root, setting, faults)
            root = _as_map(substitute(root, env, faults))
    sources = {**layers.sources, SET_FILE: "\n".join(sets)} if sets else layers.sources
    if layers.found or faults.found:
        raise Problems([*layers.found, *faults.found], sources)
    return Document(_as_map(root), main, tuple(layers.files), sources)


def _merged(roots: list[Mapping | None]) -> Mapping:
    root = _as_map(roots[0])
    for overlay in roots[1:]:
        root = _as_map(merge(root, _as_map(overlay)))
    return root


def _as_map(node: Node | None) -> Mapping:
    assert isinstance(node, Mapping), "a root is a map, or a fault says that it isn't"
    return node


def _item(node: Sequence, segment: str) -> Node | None:
    for item in node.items:
        if item_name(item) == segment:
            return item
    index = int(segment) if segment.isascii() and segment.isdigit() and len(segment) < 9 else len(node.items)
    return node.items[index] if index < len(node.items) else None


def _item_place(item: Node) -> Location:
    """An item with a name is pointed at there, since the item itself mostly spans lines."""
    name = item.entries.get("name") if isinstance(item, Mapping) else None
    return item.location if name is None or isinstance(item, Scalar) else name.node.location
