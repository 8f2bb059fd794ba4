"""Finds catalog folders and loads the one file of a folder that is asked for."""

import functools
import importlib
import importlib.util
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from recplat.lang import kinds

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "recplat.catalog"
_KINDS_OF_DATA = ("features", "transforms")

#: Folder name -> the interface that its options implement.
KINDS: dict[str, type[Any]] = {
    cls.kind: cls
    for cls in (
        kinds.Feature,
        kinds.Transform,
        kinds.Model,
        kinds.Metric,
        kinds.Schedule,
        kinds.DenseOptimizer,
        kinds.EmbeddingOptimizer,
        kinds.Initializer,
        kinds.ShardingType,
    )
} | {"toggles": kinds.Toggle}


class CatalogError(ValueError):
    """A catalog from outside that can't be used: it is missing, fails to load or lacks its `Options`."""


class _Root(NamedTuple):
    """A folder of `<kind>/<name>/options.py`, and the package that its files are imported under."""

    path: Path
    package: str


_BUILTIN = _Root(Path(__file__).parent, "recplat.catalog")


class Catalog:
    """Catalog folders by kind and name."""

    def __init__(self, folders: tuple[Path, ...] = ()) -> None:
        """`folders`: further roots laid out like `recplat/catalog`, i.e. `<root>/<kind>/<name>/options.py`.

        Raises:
            CatalogError: one is no folder, holds nothing laid out so, or a name that no spec could write.
        """
        _check_folders(folders)
        self.folders = folders
        self._roots = (_BUILTIN, *(_Root(folder, _package_of(folder)) for folder in dict.fromkeys(folders)))
        self._found: dict[tuple[str, str], _Root] = {}
        self._loaded: dict[tuple[str, str, str], ModuleType] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def names(self, kind: str) -> tuple[str, ...]:
        """Every known name of that kind, sorted; looks at the entry points too."""
        if kind not in self._names:
            paths = [path for root in self._all_roots() for path in (root.path / kind).glob("*/options.py")]
            self._names[kind] = tuple(sorted({path.parent.name for path in paths if path.parent.name.isidentifier()}))
        return self._names[kind]

    def has(self, kind: str, name: str) -> bool:
        return self._find(kind, name) is not None

    def options(self, kind: str, name: str) -> type[Any]:
        """The `Options` class of a folder.

        Raises:
            KeyError: nothing of that name is known.
            CatalogError: a folder from outside fails to load, has no fitting `Options` or a name that is taken.
        """
        return _options_class(self.load(kind, name, "options"), kind, name)

    def name_of(self, options: object) -> str:
        """The folder's name of an options object."""
        return type(options).__module__.split(".")[-2]

    def load(self, kind: str, name: str, file: str) -> ModuleType:
        """The module `<kind>/<name>/<file>.py`, imported once.

        Raises:
            KeyError: no such folder or file.
            CatalogError: a folder from outside fails while it is imported.
        """
        key = (kind, name, file)
        if key not in self._loaded:
            root = self._find(kind, name)
            if root is None or not (root.path / kind / name / f"{file}.py").is_file():
                raise KeyError(f"{kind}/{name}/{file}.py")
            self._loaded[key] = _import(root, kind, name, file)
        return self._loaded[key]

    def implementation(self, options: Any, file: str) -> ModuleType:
        """The module beside the options' own `options.py`, for instance its `module.py` or `transform.py`."""
        kind, name = type(options).__module__.split(".")[-3:-1]
        return self.load(kind, name, file)

    def own_folder(self, kind: str, name: str) -> Path | None:
        """Where `<kind>/<name>` lies, if it is not one of recplat's own."""
        root = self._find(kind, name)
        return None if root is None or root == _BUILTIN else root.path / kind / name

    def has_own_folders(self) -> bool:
        """Whether there are any catalog folders besides recplat's own."""
        return len(self._all_roots()) > 1

    def digest(self) -> str | None:
        """A digest of all Python files under `folders`, None without any: part of the plan's hash."""
        return self._digest(KINDS)

    def data_digest(self) -> str | None:
        """The same of what decides what becomes of data: features, transforms, and files that no kind owns."""
        return self._digest(_KINDS_OF_DATA)

    def _digest(self, kinds: Collection[str]) -> str | None:
        if not self.folders:
            return None
        import hashlib

        left_out = {*KINDS} - {*kinds}
        total = hashlib.sha256()
        for folder in self.folders:
            for path in sorted(folder.rglob("*.py")):
                if path.relative_to(folder).parts[0] in left_out:
                    continue
                total.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                total.update(path.read_bytes() + b"\0")
        return total.hexdigest()

    def _find(self, kind: str, name: str) -> _Root | None:
        """Where that name lies; found once, since a spec may name it ten thousand times."""
        if (kind, name) not in self._found:
            root = self._look_for(kind, name)
            if root is None:
                return None
            self._found[kind, name] = root
        return self._found[kind, name]

    def _look_for(self, kind: str, name: str) -> _Root | None:
        if name not in self.names(kind):
            return None
        roots = [root for root in self._all_roots() if (root.path / kind / name / "options.py").is_file()]
        if len(roots) > 1:
            # Taking the first would change the model of an old spec when a newer recplat brings one of that name.
            first, second = (f"`{root.path / kind / name}`" for root in roots[:2])
            raise CatalogError(f"{first} and {second} have one name; rename yours, folder and tag")
        return roots[0] if roots else None

    def _all_roots(self) -> tuple[_Root, ...]:
        return (*self._roots, *_entry_point_roots())


@functools.cache
def builtin_catalog() -> Catalog:
    return Catalog()


@functools.cache
def open_catalog(folders: tuple[Path, ...]) -> Catalog:
    """The catalog with these folders; one object for the same folders."""
    return Catalog(folders) if folders else builtin_catalog()


def _check_folders(folders: tuple[Path, ...]) -> None:
    for folder in folders:
        if not folder.is_dir():
            raise CatalogError(f"catalog folder `{folder}` does not exist")
        places = [path.parent for path in sorted(folder.glob("*/*/options.py")) if path.parent.parent.name in KINDS]
        if not places:
            raise CatalogError(
                f"catalog folder `{folder}` holds no `<kind>/<name>/options.py`; kinds are {', '.join(KINDS)}"
            )
        for place in places:
            if not place.name.isidentifier():
                raise CatalogError(f"`{place}`: a name is made of letters, digits and `_`")


@functools.cache
def _entry_point_roots() -> tuple[_Root, ...]:
    if not _is_announced():
        return ()
    from importlib.metadata import entry_points

    return tuple(root for point in entry_points(group=ENTRY_POINT_GROUP) for root in _roots_of(point))


def _roots_of(point: "EntryPoint") -> list[_Root]:
    reason = "there is no package of that name"
    try:
        spec = importlib.util.find_spec(point.value)
    except Exception as error:
        spec, reason = None, f"{type(error).__name__}: {error}"
    if spec is None or spec.submodule_search_locations is None:
        installed = point.dist.name if point.dist else "an installed package"
        raise CatalogError(
            f"`{installed}` announces the catalog `{point.value}`, which can't be found: {reason}; "
            "install it anew or remove it"
        )
    return [_Root(Path(place), point.value) for place in spec.submodule_search_locations]


def _is_announced() -> bool:
    """Whether any installed package names the group: `importlib.metadata` takes fifteen times as long to find none."""
    announced = ENTRY_POINT_GROUP.encode()
    return any(
        announced in file.read_bytes()
        for folder in sys.path
        for file in Path(folder or ".").glob("*-info/entry_points.txt")
    )


def _package_of(folder: Path) -> str:
    """A package of our own making whose files are those of a folder that is on no import path.

    Its modules' names end like the built-in ones, so that a class knows its kind and folder from `__module__`; they
    differ by folder. A file can say `from .options import Options`.
    """
    import hashlib

    name = f"recplat_catalog_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name


def _import(root: _Root, kind: str, name: str, file: str) -> ModuleType:
    module = f"{root.package}.{kind}.{name}.{file}"
    if root == _BUILTIN:
        return importlib.import_module(module)
    importlib.invalidate_caches()  # the folder may be younger than what the import system remembers of its parent
    try:
        return importlib.import_module(module)
    except Exception as error:
        path = root.path / kind / name / f"{file}.py"
        raise CatalogError(f"`{path}` fails to load: {type(error).__name__}: {error}") from error


def _options_class(module: ModuleType, kind: str, name: str) -> type[Any]:
    found = getattr(module, "Options", None)
    base = KINDS[kind] if kind == "toggles" else kinds.Options
    if not (isinstance(found, type) and issubclass(found, KINDS[kind]) and issubclass(found, base)):
        bases = "kinds.Toggle" if kind == "toggles" else f"kinds.Options, kinds.{KINDS[kind].__name__}"
        raise CatalogError(f"`{module.__file__}` must define `class Options({bases}, frozen=True, kw_only=True, …)`")
    tag = found.__struct_config__.tag
    if kind != "toggles" and tag != name:
        raise CatalogError(f'`{module.__file__}`: Options needs `tag="{name}"`, the name of its folder, not `{tag}`')
    return found
