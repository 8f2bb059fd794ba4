"""Where in a spec a field of some name belongs, for people who wrote it one level too high or too low."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec.inspect as inspect

from recplat.catalog import Catalog
from recplat.document import Mapping, Node, Scalar, Sequence
from recplat.spec.find import Step, find, path_of
from recplat.spec.typeinfo import catalog_kind, custom_class, fields_of, struct_info, union_members, unwrap
from recplat.spec.types import Toggles, TrainingJob

#: Stands for any item of a list, any key of a map.
ANY = "*"
Place = tuple[str, ...]


class Home(NamedTuple):
    """A place that has a field of that name. `steps`: from the root; ANY stands for an item that nobody asked about."""

    steps: tuple[Step, ...]
    distance: int  # steps up and down from the place that was asked for

    def describe(self, root: Node) -> str:
        if ANY not in self.steps:
            return f"`{path_of(root, self.steps)}`" if self.steps else "the top level"
        around = path_of(root, self.steps[: self.steps.index(ANY)])
        rest = ".".join(str(step) for step in self.steps[self.steps.index(ANY) + 1 :] if step != ANY)
        return f"`{rest}` of an item of `{around}`" if rest else f"an item of `{around}`"


class KnownFields:
    """Fields by name, over the whole language and all that a catalog holds. Walked at most once a document."""

    def __init__(self, root: Node, catalog: Catalog) -> None:
        self._root = root
        self._catalog = catalog
        self._places: dict[str, list[Place]] = {}
        self._slots: list[tuple[Place, str]] = []
        self._walk((), TrainingJob)

    def homes(self, name: str, at: tuple[Step, ...]) -> tuple[Home, ...]:
        """The places nearest to `at` that have the field, in the order of the spec; none of `at`'s own."""
        found = [_home(place, at) for place in self._places.get(name, ())]
        for place, kind in self._slots:
            home = self._single(_home(place, at))
            if self._chosen_has(home, kind, name):
                found.append(home)
        least = min((home.distance for home in found if home.distance > 0), default=0)
        return tuple(dict.fromkeys(home for home in found if home.distance == least and least > 0))

    def names(self) -> list[str]:
        """All fields of sections."""
        return list(self._places)

    def kinds_with(self, name: str) -> list[tuple[str, list[str]]]:
        """The kinds of catalog folders that a spec chooses from, with their folders that have the field."""
        kinds = dict.fromkeys(kind for _, kind in self._slots)
        return [(kind, folders) for kind in kinds if (folders := self.folders_with(kind, name))]

    def folders_with(self, kind: str, name: str) -> list[str]:
        """The folders of a catalog kind whose options have that field."""
        return [folder for folder in self._catalog.names(kind) if self._folder_has(kind, folder, name)]

    def _single(self, home: Home) -> Home:
        """In a list of one item, that item."""
        if home.steps[-1] == ANY and ANY not in home.steps[:-1]:
            node, _ = find(self._root, home.steps[:-1])
            if isinstance(node, Sequence) and len(node.items) == 1:
                return Home((*home.steps[:-1], 0), home.distance)
        return home

    def _chosen_has(self, home: Home, kind: str, name: str) -> bool:
        """Whether what the spec chose there has the field; where that can't be said, whether anything has."""
        node, _ = find(self._root, home.steps)
        chosen = node.get("type") if isinstance(node, Mapping) and ANY not in home.steps else None
        if isinstance(chosen, Scalar) and isinstance(chosen.value, str) and self._catalog.has(kind, chosen.value):
            return self._folder_has(kind, chosen.value, name)
        return bool(self.folders_with(kind, name))

    def _folder_has(self, kind: str, folder: str, name: str) -> bool:
        return any(field.name == name for field in fields_of(self._catalog.options(kind, folder)))

    def _walk(self, place: Place, cls: type[Any]) -> None:
        if tag := struct_info(cls).tag_field:
            self._places.setdefault(tag, []).append(place)
        for field in fields_of(cls):
            self._places.setdefault(field.name, []).append(place)
            for below, member in _inner((*place, field.name), field.type):
                self._take(below, member)

    def _take(self, place: Place, member: inspect.Type) -> None:
        if isinstance(member, inspect.StructType):
            self._walk(place, member.cls)
        elif (cls := custom_class(member)) is Toggles:
            for name in self._catalog.names("toggles"):
                self._places.setdefault(name, []).append(place)
                self._walk((*place, name), self._catalog.options("toggles", name))
        elif kind := catalog_kind(cls):
            self._slots.append((place, kind))
            if kind == "features":  # the transforms below it
                self._slots.append(((*place, "transform", ANY), "transforms"))


def _inner(place: Place, info: inspect.Type) -> Iterator[tuple[Place, inspect.Type]]:
    """Each plain type that a value there, or an item of it, may have."""
    for member in union_members(unwrap(info)[0]):
        if isinstance(member, inspect.VarTupleType):
            yield from _inner((*place, ANY), member.item_type)
        elif isinstance(member, inspect.DictType):
            yield from _inner((*place, ANY), member.value_type)
        else:
            yield place, member


def _home(place: Place, at: tuple[Step, ...]) -> Home:
    """The place as seen from `at`: within the same item, items keep their index."""
    steps: list[Step] = list(place)
    common = 0
    for mine, theirs in zip(at, place, strict=False):
        if mine != theirs and theirs != ANY:
            break
        steps[common] = mine
        common += 1
    return Home(tuple(steps), len(at) + len(place) - 2 * common)
