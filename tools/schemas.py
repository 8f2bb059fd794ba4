"""`schemas/` from the types: `python -m tools.schemas [--check]`."""

import json
import sys

from recplat.catalog import builtin_catalog
from recplat.spec.schema import Form, document_schema
from tools.generated import update

FILES: dict[str, Form] = {
    "schemas/trainingjob.schema.json": "authoring",
    "schemas/trainingjob.normal.schema.json": "normal",
}


def schemas() -> dict[str, str]:
    catalog = builtin_catalog()
    return {
        name: json.dumps(document_schema(catalog, form), indent=1, ensure_ascii=False) + "\n"
        for name, form in FILES.items()
    }


if __name__ == "__main__":
    sys.exit(update(schemas(), sys.argv[1:]))
