"""The folders that `spec.catalog` names: they are needed before anything else of a spec is understood."""

from pathlib import Path

from msgspec import Struct

from recplat.catalog import KINDS, Catalog, CatalogError, open_catalog
from recplat.diagnostics import Diagnostic, Location, Problems
from recplat.document import Document, Mapping, Scalar, Sequence, load
from recplat.spec.paths import project_root, resolve, to_normal


class OwnFolder(Struct, frozen=True):
    path: Path
    text: str  # as the spec has it
    location: Location


def catalog_of(spec: str | Path) -> Catalog:
    """The catalog that a spec chooses from, whatever else is wrong with the spec.

    Raises:
        Problems: the file can't be read, or a folder that it names can't be used.
    """
    document = load(spec)
    folders = own_folders(document, project_root(Path(document.directory)))
    try:
        catalog = open_catalog(tuple(folder.path for folder in folders))
        for kind in KINDS:
            for name in catalog.names(kind):
                catalog.options(kind, name)
    except CatalogError as error:
        raise Problems([catalog_problem(error, folders)], document.sources) from None
    return catalog


def own_folders(document: Document, root: Path) -> tuple[OwnFolder, ...]:
    """The folders in their order; what is no path is the schema's to report."""
    spec = document.root.get("spec")
    named = spec.get("catalog") if isinstance(spec, Mapping) else None
    items = named.items if isinstance(named, Sequence) else []
    return tuple(
        OwnFolder(_absolute(item, document, root), item.text, item.location)
        for item in items
        if isinstance(item, Scalar) and isinstance(item.value, str)
    )


def catalog_problem(error: CatalogError, folders: tuple[OwnFolder, ...]) -> Diagnostic:
    """The diagnostic for a folder that is missing or can't be loaded."""
    guilty, message = with_authors_paths(str(error), folders)
    if guilty is not None and not guilty.path.is_dir():
        remedy = "check the path: it counts from the folder of the file that says it"
    elif "fails to load" in message:
        remedy = "repair the file, or install what it imports into recplat's environment"
    else:
        remedy = "a folder of a catalog holds `KIND/NAME/options.py` with a class `Options`, like `recplat/catalog`"
    return Diagnostic(
        "catalog-unusable",
        message,
        help=remedy,
        path="spec.catalog",
        location=guilty.location if guilty else None,
    )


def with_authors_paths(message: str, folders: tuple[OwnFolder, ...]) -> tuple[OwnFolder | None, str]:
    """The folder that a message is about, if any, and the message with its path as the spec has it."""
    guilty = next((folder for folder in folders if str(folder.path) in message), None)
    return guilty, message if guilty is None else message.replace(str(guilty.path), guilty.text.rstrip("/"))


def _absolute(item: Scalar, document: Document, root: Path) -> Path:
    return Path(resolve(to_normal(str(item.value), directory=document.origin(item), root=root), root))
