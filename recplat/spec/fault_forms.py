"""Words for texts of a wrong form, and for what is too short or too long."""

import re
from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.document import Mapping
from recplat.spec.site import Site
from recplat.spec.words import about, counted, for_instance, join_key, short


def bad_format(site: Site) -> Iterator[Diagnostic]:
    """A text that does not match its pattern, or a key of a map that does not."""
    path, location = site.path, site.location
    text = str(site.fault.instance)
    schema = site.fault.schema
    if isinstance(site.node, Mapping) and text in site.node.entries:
        path, location = join_key(site.path, text), site.node.entries[text].location
    looks = schema.get("x-looks-like", f"what matches `{site.fault.rule}`")
    better = _repaired(text, site.fault.rule)
    remedy = f"did you mean `{better}`? Write {looks}" if better else f"write {looks}{for_instance(site.fault.schema)}"
    yield Diagnostic(
        "bad-format",
        f"`{path}` can't be `{short(text)}`" if text else f"`{path}` can't be empty",
        help=remedy,
        path=path,
        location=location,
    )


_UNITS = (("GB", "GiB"), ("MB", "MiB"), ("TB", "TiB"), ("KB", "KiB"), ("kB", "KiB"), ("Gi", "GiB"), ("Mi", "MiB"))
_LONG_UNITS = re.compile(r"([0-9.]+)\s*(ms|m(?!o)|[shd])[a-z]*", re.IGNORECASE)


def _repaired(text: str, pattern: str) -> str | None:
    """The text as it was probably meant, if that matches."""
    candidates = [
        text.strip(),
        re.sub(r"\s+", "", text) if re.match(r"\s*[0-9]", text) else "",
        re.sub(r"[^A-Za-z0-9_-]+", "_", text.strip()),
        re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-"),
        *(re.sub(r"\s+", "", text).replace(wrong, right) for wrong, right in _UNITS),
        _LONG_UNITS.sub(lambda found: found[1] + found[2].lower(), text.strip()),
    ]
    return next((better for better in candidates if better and re.search(pattern, better)), None)


def wrong_length(site: Site) -> Iterator[Diagnostic]:
    unit = "item" if site.fault.keyword.endswith("Items") else "character"
    is_least = site.fault.keyword.startswith("min")
    least_or_most = f"at {'least' if is_least else 'most'} {counted(site.fault.rule, unit)}"
    key = str(site.fault.steps[-1]) if site.fault.steps else ""
    path, location, length = site.path, site.location, len(site.fault.instance)
    if isinstance(site.node, Mapping) and isinstance(site.fault.instance, str):
        entry = site.node.entries[site.fault.instance]
        path, location = join_key(path, short(entry.key)), entry.location
    yield Diagnostic(
        "wrong-length",
        f"`{path}` must have {least_or_most}, not {length:,}" if length else f"`{path}` is empty",
        help=f"write {least_or_most}{for_instance(site.fault.schema)}" + about(key, site.fault.schema),
        path=path,
        location=location,
    )
