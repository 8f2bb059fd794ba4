"""Turns structural faults into diagnostics: what was meant, where it stands, what to write instead."""

from collections.abc import Callable, Iterator

from recplat.catalog import Catalog
from recplat.diagnostics import Diagnostic, nearest
from recplat.document import Mapping, Node
from recplat.spec import fault_fields, fault_forms, fault_values
from recplat.spec.find import find
from recplat.spec.site import Page, Site
from recplat.spec.synonyms import FIELDS
from recplat.spec.validate import StructuralFault

_WORDS: dict[str, Callable[[Site], Iterator[Diagnostic]]] = {
    "additionalProperties": fault_fields.unknown_field,
    "required": fault_fields.missing_field,
    "x-union": fault_fields.unknown_type,
    "type": fault_values.wrong_type,
    "enum": fault_values.unknown_value,
    "const": fault_values.unknown_value,
    "pattern": fault_forms.bad_format,
    "x-finite": fault_values.not_finite,
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), fault_forms.wrong_length),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        fault_values.out_of_range,
    ),
}


def to_diagnostics(faults: list[StructuralFault], root: Node, catalog: Catalog) -> Iterator[Diagnostic]:
    """The diagnostics of all faults of a document; what only follows from another one is left out."""
    page = Page(root, catalog)
    strays = _Strays(faults)
    for fault in faults:
        site = Site(fault, page)
        if fault.keyword == "required":
            own = strays.of_section(site)
            if own:
                yield fault_fields.section_forgotten(site, own)
                strays.told.update((*fault.steps, key) for key in own)
            elif not strays.explain(fault):
                yield from fault_fields.missing_field(site)
    for fault in faults:
        if fault.keyword == "additionalProperties" and (*fault.steps, fault.rule) in strays.told:
            continue
        if fault.keyword != "required" and not _is_copy(fault, root):
            yield from _WORDS[fault.keyword](Site(fault, page))


def _is_copy(fault: StructuralFault, root: Node) -> bool:
    """Whether the value is that of `name`, which another field has by default: it is told of there."""
    item, _ = find(root, fault.steps[:-1])
    if not fault.steps or not isinstance(item, Mapping) or fault.steps[-1] == "name":
        return False
    return item.get("name") is not None and item.get(str(fault.steps[-1])) is item.get("name")


class _Strays:
    """Keys that stand where nothing knows them, which is why others are missing."""

    def __init__(self, faults: list[StructuralFault]) -> None:
        self.told: set[tuple[str | int, ...]] = set()  # reported with the section that they belong in
        self._keys: dict[tuple[str | int, ...], list[str]] = {}
        for fault in faults:
            if fault.keyword == "additionalProperties":
                self._keys.setdefault(fault.steps, []).append(fault.rule)

    def explain(self, fault: StructuralFault) -> bool:
        """Whether the missing field is there, misspelt or one level too high."""
        if any(FIELDS.get(key) == fault.rule or nearest(key, [fault.rule]) for key in self._keys.get(fault.steps, ())):
            return True
        return any(fault.rule in self._keys.get(fault.steps[:length], ()) for length in range(1, len(fault.steps)))

    def of_section(self, site: Site) -> list[str]:
        """Keys beside the missing section that are its own fields."""
        fields = site.fault.schema["properties"].get(site.fault.rule, {}).get("properties", {})
        return [key for key in self._keys.get(site.fault.steps, ()) if key in fields]
