"""`docs/reference/` from the code: `python -m tools.reference [--check]`."""

import sys

from tools.generated import update
from tools.reference.catalog_page import catalog_page
from tools.reference.codes_page import codes_page
from tools.reference.commands_page import commands_page
from tools.reference.spec_page import spec_page

PAGES = {
    "docs/reference/spec.md": spec_page,
    "docs/reference/catalog.md": catalog_page,
    "docs/reference/diagnostics.md": codes_page,
    "docs/reference/commands.md": commands_page,
}

if __name__ == "__main__":
    sys.exit(update({name: page() for name, page in PAGES.items()}, sys.argv[1:]))
