"""A struct's fields as a Markdown table."""

from typing import Any

from recplat.spec.describe import KIND_WORDS, REQUIRED, describe_fields

SPEC_PAGE = "spec.md"
CATALOG_PAGE = "catalog.md"


def field_table(cls: type[Any], *, on_page: str) -> list[str]:
    """Lines of the table, links being relative to `on_page`."""

    def refer(title: str, name: str) -> str:
        page = CATALOG_PAGE if name in KIND_WORDS else SPEC_PAGE
        return f"[{title}]({'' if page == on_page else page}#{name.lower()})"

    fields = describe_fields(cls, refer)
    if not fields:
        return ["No options.", ""]
    rows = [
        (f"`{f.name}`", f.type, "**required**" if f.default == REQUIRED else f.default, f.description) for f in fields
    ]
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return ["| field | type | default | |", "|---|---|---|---|", *lines, ""]
