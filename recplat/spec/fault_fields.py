"""Words for fields that are not known, are refused, or are missing."""

from collections.abc import Iterator
from typing import Any

from recplat.diagnostics import Diagnostic, Fix, nearest
from recplat.document import SET_FILE, Entry, Mapping, Node, Scalar, Sequence, join_path, to_plain
from recplat.spec.find import find
from recplat.spec.known_fields import ANY, Home
from recplat.spec.make_nodes import BareMapping
from recplat.spec.site import Site
from recplat.spec.synonyms import FIELDS
from recplat.spec.words import KIND_WORDS, about, edit, join_key, listed, quoted, short, show

_MAX_EXAMPLE = 90


def _is_written(node: Mapping, key: str) -> bool:
    """Whether somebody wrote the field: a default stands at the place of the map that lacks it."""
    return key in node.entries and node.entries[key].location != node.location


def unknown_field(site: Site) -> Iterator[Diagnostic]:
    key: str = site.fault.rule
    assert isinstance(site.node, Mapping)
    entry = site.node.entries[key]
    path = join_key(site.path, key)
    reason = site.fault.schema.get("x-refused", {}).get(key)
    if reason:
        yield Diagnostic(
            "refused-field", f"`{site.path}` takes no `{key}`", help=reason, path=path, location=entry.location
        )
        return
    known = list(site.fault.schema["properties"])
    fix = None
    close = nearest(key, known)
    if close and entry.location.file == SET_FILE:
        remedy = f"did you mean `--set {'.'.join((join_key(site.path, close), *_set_below(entry.node)))}=…`?"
    elif close and _is_written(site.node, close):
        remedy = f"did you mean `{close}`? It is given too: remove one of them"
    elif close:
        remedy = f"did you mean `{close}`?"
        fix = Fix(f"rename `{key}` to `{close}`", (edit(entry.location, close),))
    elif (meant := FIELDS.get(key.lower())) in known:
        remedy = f"did you mean `{meant}`?"
    else:
        remedy = _elsewhere(site, key, entry) or f"fields here: {', '.join(known)}"
    message = f"`{site.path}` has no field `{short(key)}`" if site.path else f"a spec has no field `{short(key)}`"
    yield Diagnostic("unknown-field", message, help=remedy, path=path, location=entry.location, fix=fix)


def _set_below(node: Node) -> Iterator[str]:
    """The rest of the path of a `--set` that made this value."""
    while isinstance(node, Mapping) and len(node.entries) == 1:
        [entry] = node.entries.values()
        if entry.location != node.location:
            return  # a map that was written: those on the way of a path stand where their key does
        yield join_path([entry.key])
        node = entry.node


def _elsewhere(site: Site, key: str, entry: Entry) -> str | None:
    """Where the field belongs, if anywhere."""
    if key.isdigit():
        return "numbers have no separators: write `1000`, not `1,000`"
    for name in dict.fromkeys((key, FIELDS.get(key.lower()), nearest(key, site.known.names()))):
        if name is None:
            continue
        of_others = site.folders_with(name)
        homes = site.known.homes(name, site.fault.steps)
        if of_others and not any(home.distance == 1 for home in homes):
            chosen = site.fault.schema["properties"]["type"]["const"]
            return f"`{name}` is an option of {listed(quoted(of_others), 'and')}, not of `{chosen}`"
        if homes:
            return _belongs(site, key, name, homes, entry)
        if kinds := site.known.kinds_with(name):
            kind, folders = kinds[0]
            return f"`{name}` is an option of the {KIND_WORDS[kind]} {listed(quoted(folders), 'or')}"
    return None


def _belongs(site: Site, key: str, name: str, homes: tuple[Home, ...], entry: Entry) -> str:
    it = f"`{name}`" if name == key else f"did you mean `{name}`? It"
    first = homes[0]
    bare = find(site.root, first.steps)[0] if ANY not in first.steps else None
    if len(homes) == 1 and isinstance(bare, BareMapping) and "type" in bare.entries:
        # Beside a name that stands alone: `transform: hash, buckets: 1000`.
        slot = next(step for step in reversed(first.steps) if isinstance(step, str))
        value = entry.node.text if isinstance(entry.node, Scalar) else "..."
        chosen = bare.entries["type"].node
        assert isinstance(chosen, Scalar)
        return f"{it} is an option of `{chosen.text}`: write `{slot}: {{type: {chosen.text}, {name}: {value}}}`"
    return f"{it} belongs in {listed([home.describe(site.root) for home in homes[:3]], 'or')}"


def missing_field(site: Site) -> Iterator[Diagnostic]:
    key: str = site.fault.rule
    schema = site.fault.schema["properties"].get(key, {})
    examples = schema.get("examples") or ([schema["enum"][0]] if "enum" in schema else [])
    example = show(examples[0]) if examples else "..."
    if len(example) > _MAX_EXAMPLE:
        example = ""
    text = site.node.get("type") if isinstance(site.node, BareMapping) else None
    if isinstance(text, Scalar):
        message = f"`{text.text}` needs `{key}`"
        remedy = f"write `{{type: {text.text}, {key}: {example}}}`"
    else:
        message = f"`{site.path}` lacks `{key}`" if site.path else f"the spec lacks `{key}`"
        remedy = f"add `{key}: {example}`" if example else _add_section(key, schema)
    yield Diagnostic(
        "missing-field",
        message,
        help=remedy + about(key, schema),
        path=join_key(site.path, key),
        location=site.location,
    )


def _add_section(key: str, schema: dict[str, Any]) -> str:
    properties = schema.get("properties", {})
    needed = [name for name in schema.get("required", ()) if "x-default" not in properties[name]]
    fields = needed or list(properties)[:3]
    return f"add `{key}:` with {listed(quoted(fields), 'and')} below it"


def section_forgotten(site: Site, strays: list[str]) -> Diagnostic:
    """A required section whose own fields stand beside the place where it should be."""
    key: str = site.fault.rule
    assert isinstance(site.node, Mapping)
    first = site.node.entries[strays[0]]
    if len(strays) == 1 and isinstance(first.node, Scalar):
        remedy = f"write `{key}: {{{strays[0]}: {first.node.text}}}`"
    else:
        remedy = f"write `{key}:` on a line of its own above `{strays[0]}`, and indent below it what belongs to it"
    belongs = "belongs" if len(strays) == 1 else "belong"
    return Diagnostic(
        "missing-field",
        f"{listed(quoted(strays), 'and')} {belongs} in `{key}`, which {'is' if site.path else 'the spec lacks'}"
        + (f" missing from `{site.path}`" if site.path else ""),
        help=remedy,
        path=join_key(site.path, key),
        location=first.location,
    )


def unknown_type(site: Site) -> Iterator[Diagnostic]:
    """The tag of a union is missing, or names nothing known."""
    tag, names, kind = site.fault.rule["tag"], site.fault.rule["names"], site.fault.rule["kind"]
    choice = listed(quoted(names), "or")
    if not isinstance(site.node, Mapping):
        yield from _not_a_union(site, tag, names)
        return
    entry = site.node.entries.get(tag)
    if entry is None:
        yield Diagnostic(
            "missing-field",
            f"`{site.path}` lacks `{tag}`",
            help=_tag_remedy(site, tag, names) or f"add `{tag}:` and one of {choice}",
            path=join_key(site.path, tag),
            location=site.location,
        )
        return
    yield site.no_such_name(entry, names, _what(site, kind))


def _what(site: Site, kind: str | None) -> str:
    """`there is no …`."""
    return KIND_WORDS[kind] if kind else f"{str(site.fault.steps[-1]).replace('_', ' ')} by"


def _tag_remedy(site: Site, tag: str, names: list[str]) -> str | None:
    """Where the name stands under another key, or as one: `model: {name: dlrm}`, `split: {random: {seed: 1}}`."""
    assert isinstance(site.node, Mapping)
    for key, entry in site.node.entries.items():
        if isinstance(entry.node, Scalar) and entry.node.value in names:
            return f"write `{tag}: {entry.node.text}` in place of `{key}: {entry.node.text}`"
        if key in names:
            inner = to_plain(entry.node)
            return f"write `{short(show({tag: key, **inner}) if isinstance(inner, dict) else show({tag: key}))}`"
    return None


def _not_a_union(site: Site, tag: str, names: list[str]) -> Iterator[Diagnostic]:
    choice = listed(quoted(names), "or")
    remedy = f"write `{{{tag}: …}}` with one of {choice}"
    if isinstance(site.node, Scalar) and site.node.value in names:
        remedy = f"write `{{{tag}: {site.node.text}}}`"
    elif isinstance(site.node, Scalar) and site.fault.rule["kind"] == "features":
        remedy = f"write `{{name: {short(show(site.node.value))}, type: …}}` with one of {choice}"
    elif isinstance(site.node, Sequence) and len(site.node.items) == 1:
        remedy = "it takes one, not a list: remove the dash or the brackets"
    yield from site.wrong_type("a map", remedy)
