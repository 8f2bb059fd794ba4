"""What a spec may name. The folders are the registry: `catalog/models/dlrm/options.py` is `model: {type: dlrm}`.

Three places are looked at: the folders here, folders named by `spec.catalog`, packages that announce themselves in the
entry point group `recplat.catalog`. A name that two of them have is refused where a spec uses it. A folder is imported
when a spec names it, so a command pays for what its spec uses and for nothing else.
"""

from recplat.catalog.registry import (
    ENTRY_POINT_GROUP,
    KINDS,
    Catalog,
    CatalogError,
    builtin_catalog,
    open_catalog,
)

__all__ = ["ENTRY_POINT_GROUP", "KINDS", "Catalog", "CatalogError", "builtin_catalog", "open_catalog"]
