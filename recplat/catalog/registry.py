"""Finds catalog folders and loads the one file of a folder that is asked for."""

import functools
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from recplat.lang import kinds

ENTRY_POINT_GROUP = "recplat.catalog"

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

_BUILTIN = Path(__file__).parent


class CatalogError(ValueError):
    """A catalog folder from outside that can't be used: it is missing, fails to load or lacks its `Options`."""


class Catalog:
    """Catalog folders by kind and name."""

    def __init__(self, folders: tuple[Path, ...] = ()) -> None:
        """`folders`: further roots laid out like `recplat/catalog`, i.e. `<root>/<kind>/<name>/options.py`."""
        for folder in folders:
            if not folder.is_dir():
                raise CatalogError(f"catalog folder `{folder}` does not exist")
        self.folders = folders
        self._found: dict[tuple[str, str], Path] = {}
        self._loaded: dict[tuple[str, str, str], ModuleType] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def names(self, kind: str) -> tuple[str, ...]:
        """Every known name of that kind, sorted; looks at the entry points too."""
        if kind not in self._names:
            roots = (_BUILTIN, *self.folders, *_entry_point_roots())
            found = {path.parent.name for root in roots for path in (root / kind).glob("*/options.py")}
            self._names[kind] = tuple(sorted(found))
        return self._names[kind]

    def has(self, kind: str, name: str) -> bool:
        return self._find(kind, name) is not None

    def options(self, kind: str, name: str) -> type[Any]:
        """The `Options` class of a folder.

        Raises:
            KeyError: nothing of that name is known.
            CatalogError: a folder from outside fails to load or has no fitting `Options`.
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
            folder = self._find(kind, name)
            if folder is None or not (folder / f"{file}.py").is_file():
                raise KeyError(f"{kind}/{name}/{file}.py")
            self._loaded[key] = _import(folder, kind, name, file)
        return self._loaded[key]

    def implementation(self, options: Any, file: str) -> ModuleType:
        """The module beside the options' own `options.py`, for instance its `module.py` or `transform.py`."""
        kind, name = type(options).__module__.split(".")[-3:-1]
        return self.load(kind, name, file)

    def digest(self) -> str | None:
        """A digest of all Python files under `folders`, None without any: part of the plan's hash."""
        if not self.folders:
            return None
        import hashlib

        total = hashlib.sha256()
        for folder in self.folders:
            for path in sorted(folder.rglob("*.py")):
                total.update(f"{path.relative_to(folder).as_posix()}\0".encode())
                total.update(path.read_bytes() + b"\0")
        return total.hexdigest()

    def _find(self, kind: str, name: str) -> Path | None:
        """The folder of that name; found once, since a spec may name it ten thousand times."""
        if (kind, name) not in self._found:
            folder = self._look_for(kind, name)
            if folder is None:
                return None
            self._found[kind, name] = folder
        return self._found[kind, name]

    def _look_for(self, kind: str, name: str) -> Path | None:
        if not name.isidentifier():
            return None
        for root in (_BUILTIN, *self.folders):
            if (root / kind / name / "options.py").is_file():
                return root / kind / name
        # The entry points come last: a spec that needs none of them does not wait for them.
        for root in _entry_point_roots():
            if (root / kind / name / "options.py").is_file():
                return root / kind / name
        return None


@functools.cache
def builtin_catalog() -> Catalog:
    return Catalog()


@functools.cache
def open_catalog(folders: tuple[Path, ...]) -> Catalog:
    """The catalog with these folders; one object for the same folders."""
    return Catalog(folders) if folders else builtin_catalog()


@functools.cache
def _entry_point_roots() -> tuple[Path, ...]:
    if not _is_announced():
        return ()
    from importlib.metadata import entry_points

    roots: list[Path] = []
    for point in entry_points(group=ENTRY_POINT_GROUP):
        spec = importlib.util.find_spec(point.value)
        if spec is not None:
            roots.extend(Path(place) for place in spec.submodule_search_locations or ())
    return tuple(roots)


def _is_announced() -> bool:
    """Whether any installed package names the group: `importlib.metadata` takes fifteen times as long to find none."""
    announced = ENTRY_POINT_GROUP.encode()
    return any(
        announced in file.read_bytes()
        for folder in sys.path
        for file in Path(folder or ".").glob("*-info/entry_points.txt")
    )


def _import(folder: Path, kind: str, name: str, file: str) -> ModuleType:
    if folder.parent.parent == _BUILTIN:
        return importlib.import_module(f"recplat.catalog.{kind}.{name}.{file}")
    # A root from outside is no package on sys.path: its files get a module name that ends like the built-in ones, so
    # that a class knows its kind and folder from `__module__`, and that differs by root.
    import hashlib

    root = hashlib.sha256(str(folder.parent.parent).encode()).hexdigest()[:12]
    module_name = f"recplat_catalog_{root}.{kind}.{name}.{file}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, folder / f"{file}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[module_name]
        if not isinstance(error, Exception):
            raise
        raise CatalogError(f"`{folder / file}.py` fails to load: {type(error).__name__}: {error}") from error
    return module


def _options_class(module: ModuleType, kind: str, name: str) -> type[Any]:
    found = getattr(module, "Options", None)
    if not (isinstance(found, type) and issubclass(found, KINDS[kind])):
        raise CatalogError(f"`{module.__file__}` must define `class Options` that derives from {KINDS[kind].__name__}")
    if kind != "toggles" and found.__struct_config__.tag != name:  # type: ignore[attr-defined]
        raise CatalogError(f'`{module.__file__}`: Options needs `tag="{name}"`, the name of its folder')
    return found
