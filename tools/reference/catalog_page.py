"""`docs/reference/catalog.md`: every model, feature, transform, … that a spec may name."""

import inspect as python_inspect
from typing import Any

from recplat.catalog import KINDS, builtin_catalog
from recplat.spec.describe import KIND_WORDS
from tools.reference.fields import CATALOG_PAGE, field_table


def catalog_page() -> str:
    catalog = builtin_catalog()
    lines = [
        "# The catalog",
        "",
        "What a spec may name by `type`, and the toggles of `optimizations`, made from `recplat/catalog`. Your own "
        "stand beside them: see [a model of your own](../how-to/own-model.md).",
        "",
    ]
    for kind in KINDS:
        title = KIND_WORDS[kind]
        lines += [f"## {kind}", "", f"Each is a {title}: {', '.join(f'`{n}`' for n in catalog.names(kind))}.", ""]
        for name in catalog.names(kind):
            lines += _entry(kind, name, catalog.options(kind, name))
    return "\n".join(lines)


def _entry(kind: str, name: str, options: type[Any]) -> list[str]:
    # The kind in the heading keeps anchors apart: `adam` is a dense and an embedding optimiser.
    heading = [f"### {name} ({KIND_WORDS[kind]})", ""]
    text = python_inspect.cleandoc(options.__doc__ or "")
    refused = [f"- `{field}` is refused: {why}" for field, why in getattr(options, "refused", {}).items()]
    return [*heading, text, "", *field_table(options, on_page=CATALOG_PAGE), *refused, *([""] if refused else [])]
