"""Files and the files that they extend, each read once and merged."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Map
from pathlib import Path

from recplat.diagnostics import Diagnostic, Location, Problems, Related
from recplat.document import structure_faults
from recplat.document.faults import Faults, StopReading
from recplat.document.files import read_text
from recplat.document.limits import MAX_EXTENDS, MAX_FILES
from recplat.document.merge import merge
from recplat.document.named import expand_names
from recplat.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from recplat.document.reader import parse
from recplat.document.variables import Substitution

_KEY = "extends"
# The files on the way, each with the place that asked for it.
_Chain = tuple[tuple[Path, str, Location | None], ...]


class Layers:
    """Reads files; gathers what is wrong with any of them in `found` and their text in `sources`."""

    def __init__(self, env: Map[str, str], texts: Map[Path, str]) -> None:
        """`texts`: what counts as the content of a file, by its resolved path, in place of what lies there."""
        self.found: list[Diagnostic] = []
        self.sources: dict[str, str] = {}
        self.files: list[str] = []
        self._env = env
        self._texts = texts
        self._num_asked = 0
        self._merged: dict[Path, Mapping | None] = {}

    def read(self, file: str, asked_at: Location | None = None, chain: _Chain = ()) -> Mapping | None:
        """The file over all that it extends; None when something is wrong, and `found` tells what."""
        real = Path(file).resolve() if "\0" not in file else Path(file)
        chain = (*chain, (real, file, asked_at))
        if real in (earlier for earlier, _, _ in chain[:-1]):
            self.found.append(_cycle(chain))
            return None
        self._num_asked += 1
        if len(chain) > MAX_EXTENDS or self._num_asked > MAX_FILES:
            self.found.append(_too_many(asked_at))
            return None
        if real not in self._merged:
            self._merged[real] = self._merge(file, asked_at, chain)
        return self._merged[real]

    def _merge(self, file: str, asked_at: Location | None, chain: _Chain) -> Mapping | None:
        own = self._parse(file, asked_at)
        if own is None:
            return None
        extends = own.entries.get(_KEY)
        if extends is None:
            return own
        merged: Node | None = None
        complete = True
        for name in self._bases(extends):
            base = self.read(str(Path(file).parent / name.text), name.location, chain)
            complete = complete and base is not None
            if base is not None:
                merged = base if merged is None else merge(merged, base)
        own = Mapping({key: entry for key, entry in own.entries.items() if key != _KEY}, own.location)
        result = own if merged is None else merge(merged, own)
        return result if complete and isinstance(result, Mapping) else None

    def _parse(self, file: str, asked_at: Location | None) -> Mapping | None:
        faults = Faults()
        try:
            text = self._texts.get(Path(file).resolve()) if self._texts else None
            text = read_text(file, asked_at=asked_at) if text is None else text
            self.sources[file] = text
            self.files.append(str(Path(file).absolute()))
            root = expand_names(parse(text, file), faults)
        except Problems as problems:
            self.found += problems.diagnostics
            self.sources.update(problems.sources)
            return None
        except StopReading:
            self.found += faults.found
            return None
        if not isinstance(root, Mapping):
            self.found.append(structure_faults.not_a_map(structure_faults.describe(root), root.location))
            return None
        return root

    def _bases(self, extends: Entry) -> Iterable[Scalar]:
        """The names of the files to extend, later ones winning, with their variables replaced."""
        node = extends.node
        faults = Faults()
        for item in node.items if isinstance(node, Sequence) else [node]:
            if isinstance(item, Scalar) and isinstance(item.value, str) and item.value:
                name = Substitution(self._env, faults).scalar(item, (_KEY,)) if "${" in item.value else item
                if not faults.found:
                    yield name
            elif not (item is node and isinstance(item, Scalar) and item.value is None):
                self.found.append(_not_a_path(item))
        self.found += faults.found


def _not_a_path(node: Node) -> Diagnostic:
    return Diagnostic(
        "extends-not-path",
        "`extends` takes the path of a file, or a list of paths",
        help="write `extends: base.yaml`; the path counts from this file's folder",
        path=_KEY,
        location=node.location,
    )


def _cycle(chain: _Chain) -> Diagnostic:
    first = next(index for index, (real, _, _) in enumerate(chain) if real == chain[-1][0])
    names = [name for _, name, _ in chain[first:]]
    links = [at for _, _, at in chain[first + 1 : -1] if at is not None]
    return Diagnostic(
        "extends-cycle",
        f"`{names[0]}` extends itself: " + " -> ".join(f"`{name}`" for name in names),
        help="take one `extends` out of this chain; put what the files share in a file that extends none of them",
        path=_KEY,
        location=chain[-1][2],
        related=tuple(Related("which is asked for here", at) for at in links),
    )


def _too_many(asked_at: Location | None) -> Diagnostic:
    return Diagnostic(
        "extends-too-deep",
        f"more than {MAX_EXTENDS} files extend each other, or more than {MAX_FILES} are asked for",
        help="flatten the chain: merge some of these files by hand",
        path=_KEY,
        location=asked_at,
    )
