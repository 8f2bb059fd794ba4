"""The diagnostics for text that is YAML, but not YAML that a spec may be written in."""

from __future__ import annotations

from recplat.diagnostics import Diagnostic, Edit, Fix, Location, Related
from recplat.document.limits import MAX_DEPTH, MAX_EVENTS, MAX_NODES
from recplat.document.nodes import Entry, Scalar, Value
from recplat.document.scalars import MAX_NUMBER_CHARACTERS


def duplicate_key(first: Entry, again: Entry, path: str) -> Diagnostic:
    return Diagnostic(
        "duplicate-key",
        f"key `{_short(again.key)}` is given twice in the same map",
        help="keep one of the two: which value counts would otherwise be a matter of luck",
        path=path,
        location=again.location,
        related=(Related("first given here", first.location),),
    )


def key_not_string(text: str, value: Value, location: Location, path: str) -> Diagnostic:
    kind = {bool: "a boolean", type(None): "empty"}.get(type(value), "a number")
    if not text:
        return Diagnostic(
            "key-not-string",
            "a key is missing before the colon",
            help="write a name before the colon, or delete the line",
            path=path or None,
            location=location,
        )
    quoted = f'"{text}"'
    return Diagnostic(
        "key-not-string",
        f"key `{text}` is {kind}; keys are strings",
        help=f"write {quoted} if this is a name",
        path=path or None,
        location=location,
        fix=Fix(f"quote it: {quoted}", (edit(location, quoted),)),
    )


def key_not_scalar(kind: str, location: Location, path: str) -> Diagnostic:
    return Diagnostic(
        "key-not-string",
        f"a {kind} stands where a key must be",
        help='keys are plain names; if this is a template such as `{{ name }}`, put quotes around it: "{{ name }}"',
        path=path or None,
        location=location,
    )


def many_documents(location: Location) -> Diagnostic:
    return Diagnostic(
        "yaml-many-documents",
        "a second document begins here; a file holds one",
        help="put each document into a file of its own, or delete this `---` if it separates nothing",
        location=location,
    )


def too_deep(location: Location) -> Diagnostic:
    return Diagnostic(
        "yaml-too-deep",
        f"maps and lists are nested more than {MAX_DEPTH} deep",
        help="no spec needs that: look for brackets that are opened again and again, or an anchor that is stacked",
        location=location,
    )


def too_many_nodes(location: Location) -> Diagnostic:
    return Diagnostic(
        "yaml-too-many-nodes",
        f"the file holds more than {MAX_EVENTS // 1000} thousand values",
        help="put long lists of values, such as a vocabulary, in a data file and give its path",
        location=location,
    )


def alias_bomb(name: str, size: int, location: Location) -> Diagnostic:
    name = _short(name)
    return Diagnostic(
        "yaml-alias-bomb",
        f"with `*{name}` ({size} values) the file stands for more than {MAX_NODES // 1000} thousand values",
        help="an alias repeats everything that its anchor holds: repeat less, or shorter things",
        location=location,
    )


def alias_unknown(name: str, known: str | None, location: Location, path: str) -> Diagnostic:
    name = _short(name)
    meant = f"did you mean `*{known}`? otherwise " if known else ""
    return Diagnostic(
        "yaml-alias-unknown",
        f"alias `*{name}` has no anchor `&{name}` before it",
        help=f'{meant}put it in quotes if it is text that begins with `*`, such as a file pattern: "*{name}"',
        path=path or None,
        location=location,
    )


def alias_recursive(name: str, location: Location, path: str) -> Diagnostic:
    name = _short(name)
    return Diagnostic(
        "yaml-alias-recursive",
        f"`*{name}` stands inside of the thing that `&{name}` names, so it would hold itself",
        help="write the inner value out",
        path=path or None,
        location=location,
    )


def unknown_tag(tag: str, location: Location, path: str) -> Diagnostic:
    return Diagnostic(
        "yaml-tag",
        f"tag `{_short(tag)}` isn't allowed",
        help="delete it, or put text that begins with `!` in quotes; a spec holds text, numbers, booleans, lists, maps",
        path=path or None,
        location=location,
    )


def tag_mismatch(reason: str, location: Location, path: str) -> Diagnostic:
    return Diagnostic(
        "yaml-tag", reason, help="delete the tag, or write a value of that type", path=path or None, location=location
    )


def number_too_long(length: int, location: Location, path: str) -> Diagnostic:
    return Diagnostic(
        "yaml-number-too-long",
        f"a number of {length} characters; at most {MAX_NUMBER_CHARACTERS} are read",
        help="put it in quotes if it is an identifier",
        path=path or None,
        location=location,
    )


def merge_not_map(location: Location, path: str) -> Diagnostic:
    return Diagnostic(
        "yaml-merge-key",
        "`<<` takes a map or a list of maps",
        help="give it an alias of a map, as in `<<: *defaults`, or quote the key if it is a name",
        path=path or None,
        location=location,
    )


def edit(location: Location, text: str) -> Edit:
    """Replace what stands at `location`."""
    return Edit(location.file, location.line, location.column, location.end_line, location.end_column, text)


def not_a_map(found: str, location: Location) -> Diagnostic:
    return Diagnostic(
        "document-not-map",
        f"the file holds {found}; a spec is a map",
        help="begin with `apiVersion: recplat.io/v1alpha1` and `kind: TrainingJob`; `recplat init` writes an example",
        location=location,
    )


def empty_file(file: str) -> Diagnostic:
    return Diagnostic(
        "file-empty",
        f"`{file}` is empty",
        help="`recplat init NAME --template dlrm` writes a spec to begin with",
        location=Location(file, 1, 1, 1, 1),
    )


def describe(node: object) -> str:
    """What a node is, with its article."""
    if isinstance(node, Scalar):
        return "nothing" if node.value is None else f"the single value `{node.text[:40]}`"
    return "a list"


def _short(text: str) -> str:
    """Enough of a name to find it by; whoever writes a megabyte as a key needn't get it back."""
    return text if len(text) <= 80 else f"{text[:77]}..."
