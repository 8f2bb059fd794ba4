"""One structural fault and what its words are made from."""

import re
from collections.abc import Iterator
from functools import cached_property

from recplat.catalog import KINDS, Catalog
from recplat.diagnostics import Diagnostic, Fix, nearest
from recplat.document import Entry, Node, Scalar
from recplat.spec.find import find, path_of
from recplat.spec.known_fields import KnownFields
from recplat.spec.synonyms import NAMES
from recplat.spec.validate import StructuralFault
from recplat.spec.words import KIND_WORDS, describe, edit, join_key, listed, quoted

_MISSING_SPACE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*):[^\s/\\]")


class Page:
    """What all faults of one document share."""

    def __init__(self, root: Node, catalog: Catalog) -> None:
        self.root = root
        self.catalog = catalog

    @cached_property
    def known(self) -> KnownFields:
        return KnownFields(self.root, self.catalog)


class Site:
    """A fault, the node it is about, its place in the file, and its path as an author writes it."""

    def __init__(self, fault: StructuralFault, page: Page) -> None:
        self.fault = fault
        self.root = page.root
        self.catalog = page.catalog
        self.node, self.location = find(page.root, fault.steps)
        self.path = path_of(page.root, fault.steps)
        self._page = page

    @property
    def known(self) -> KnownFields:
        return self._page.known

    def folders_with(self, name: str) -> list[str]:
        """Other folders of the kind of catalog folder that the fault is in, whose options have that field."""
        cls = self.fault.schema.get("x-class")
        parts = cls.__module__.split(".") if cls else [""]
        return self.known.folders_with(parts[-3], name) if parts[-1] == "options" and parts[-3] != "toggles" else []

    def wrong_type(self, words: str, remedy: str, fix: Fix | None = None) -> Iterator[Diagnostic]:
        if isinstance(self.node, Scalar) and (word := missing_space(self.node)):
            remedy, fix = f"a space is missing after the colon of `{word}:`", None
        found = describe(self.node)
        message = f"`{self.path}` is empty" if found == "empty" else f"`{self.path}` must be {words}, not {found}"
        yield Diagnostic("wrong-type", message, help=remedy, path=self.path, location=self.location, fix=fix)

    def no_such_name(self, entry: Entry, names: list[str], what: str) -> Diagnostic:
        """A name that is none of `names`, where one chooses `what`."""
        text = entry.node.text if isinstance(entry.node, Scalar) else describe(entry.node)
        known = f"Known: {', '.join(names)}"
        fix = None
        close = nearest(text, names) if isinstance(entry.node, Scalar) else None
        meant = NAMES.get(text.lower().replace("-", "_"))
        if isinstance(entry.node, Scalar) and (word := missing_space(entry.node)):
            remedy = f"a space is missing after the colon of `{word}:`"
        elif elsewhere := self._kinds_with(text):
            remedy = f"`{text}` is {listed([_with_article(word) for word in elsewhere], 'or')}. {known}"
        elif close:
            remedy = f"did you mean `{close}`? {known}"
            fix = Fix(f"write `{close}`", (edit(entry.node.location, close),))
        elif meant in names:
            remedy = f"did you mean `{meant}`? {known}"
        else:
            remedy = f"choose one of {listed(quoted(names), 'or')}"
        is_bare = entry.location == entry.node.location
        return Diagnostic(
            "unknown-type",
            f"there is no {what} `{text}`",
            help=remedy,
            path=self.path if is_bare else join_key(self.path, entry.key),
            location=entry.node.location,
            fix=fix,
        )

    def _kinds_with(self, name: str) -> list[str]:
        """Other kinds of catalog folder that have one of that name."""
        own = self.fault.rule["kind"]
        if own is None:
            return []
        kinds = [kind for kind in KINDS if kind not in (own, "toggles") and self.catalog.has(kind, name)]
        return [KIND_WORDS[kind] for kind in kinds]


def missing_space(node: Scalar) -> str | None:
    """The key in `key:value`, which YAML takes for one word."""
    found = _MISSING_SPACE.match(node.text) if node.plain and isinstance(node.value, str) else None
    return found[1] if found else None


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
