"""From files to a typed job: the story of the spec layer.

    document -> apiVersion -> normal form (nodes) -> structural faults -> typed job -> rules

All faults are gathered: what has a structural fault is left out (`repair.py`) so that the rules still look at the rest.
"""

import os
from collections.abc import Collection
from collections.abc import Mapping as Map
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from recplat.catalog import Catalog, CatalogError, open_catalog
from recplat.diagnostics import Diagnostic, Location, Problems, in_file_order
from recplat.document import Document, Node, load, split_path, to_plain, yaml11_differences
from recplat.document.collector import collector_paused
from recplat.spec.build import build_job
from recplat.spec.catalogs import catalog_problem, own_folders
from recplat.spec.code_problems import code_problems
from recplat.spec.deprecated import old_names
from recplat.spec.find import find
from recplat.spec.left_out import LeftOut
from recplat.spec.normalise import Normaliser
from recplat.spec.not_finite import infinite_numbers
from recplat.spec.once import told_once
from recplat.spec.paths import project_root
from recplat.spec.rules import Context, check
from recplat.spec.types import TrainingJob
from recplat.spec.versions import UNREADABLE, check_version


class LoadedJob(Struct, frozen=True, kw_only=True):
    """A spec without errors."""

    job: TrainingJob
    catalog: Catalog
    catalog_folders: tuple[Path, ...]
    root: Path  # of the project: where `project:` paths start and `.recplat/` lies
    document: Document
    normal: Node
    warnings: tuple[Diagnostic, ...]

    def locate(self, path: str) -> Location:
        """The place of `spec.…` in the files, or of its nearest ancestor."""
        steps = [int(s.text) if s.text.isdigit() else s.text for s in split_path(path)]
        return find(self.normal, steps)[1]

    def placed(self, problems: Problems) -> Problems:
        """The same problems, those that name a path but no file placed in the spec."""
        placed = [
            msgspec.structs.replace(d, location=self.locate(d.path)) if d.path and d.location is None else d
            for d in problems.diagnostics
        ]
        return Problems(placed, {**self.document.sources, **problems.sources})


class Checked(Struct, frozen=True, kw_only=True):
    """All findings about a spec; `loaded` is None when there is an error among them."""

    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, str]
    loaded: LoadedJob | None


def load_job(
    path: str | Path, overlays: tuple[str, ...] = (), sets: tuple[str, ...] = (), env: Map[str, str] = os.environ
) -> LoadedJob:
    """The typed job of a spec.

    Raises:
        Problems: the spec's errors and warnings, all of them, in file order.
    """
    checked = check_job(path, overlays, sets, env)
    if checked.loaded is None:
        raise Problems(checked.diagnostics, checked.sources)
    return checked.loaded


def check_job(
    path: str | Path,
    overlays: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    env: Map[str, str] = os.environ,
    texts: Map[Path, str] | None = None,
) -> Checked:
    """Everything there is to say about a spec.

    Args:
        texts: what counts as the content of a file, by its resolved path, in place of what lies there.
    """
    try:
        document = load(path, overlays=overlays, sets=sets, env=env, texts=texts)
    except Problems as problems:
        return Checked(diagnostics=problems.diagnostics, sources=problems.sources, loaded=None)
    with collector_paused():
        found, loaded = _check_document(document)
    diagnostics = in_file_order(told_once(found))
    failed = loaded is None or any(d.severity == "error" for d in diagnostics)
    if loaded is not None:
        loaded = msgspec.structs.replace(loaded, warnings=diagnostics)
    return Checked(diagnostics=diagnostics, sources=document.sources, loaded=None if failed else loaded)


def _check_document(document: Document) -> tuple[list[Diagnostic], LoadedJob | None]:
    versions = list(check_version(document.root))
    found = [*versions, *yaml11_differences(document.root)]
    if any(d.code in UNREADABLE for d in versions):
        return found, None
    root = project_root(Path(document.directory))
    folders = own_folders(document, root)
    try:
        catalog = open_catalog(tuple(folder.path for folder in folders))
        normaliser = Normaliser(catalog, root, document.origin)
        normal = normaliser.document(document.root)
        built = _build(normal, normaliser, {(d.path,) for d in versions})
    except CatalogError as error:
        return [*found, catalog_problem(error, folders)], None
    found += [*old_names(normaliser.renamed, normal), *built.faults]
    if built.job is None:
        return found, None
    context = Context(job=built.job, root=built.normal, catalog=catalog, left_out=built.left_out)
    found += [*code_problems(context, folders), *check(context)]
    loaded = LoadedJob(
        job=built.job,
        catalog=catalog,
        catalog_folders=tuple(folder.path for folder in folders),
        root=root,
        document=document,
        normal=normal,
        warnings=(),
    )
    return found, loaded


class _Built(Struct, frozen=True, kw_only=True):
    job: TrainingJob | None
    normal: Node
    faults: tuple[Diagnostic, ...] = ()
    left_out: LeftOut = LeftOut()


def _build(normal: Node, normaliser: Normaliser, told: Collection[tuple[str | int | None, ...]]) -> _Built:
    """`told`: the paths of values that are at fault and have been told of."""
    plain: Any = to_plain(normal)
    infinite = list(infinite_numbers(normal))
    refusal = ""
    try:
        job = build_job(plain, normaliser.catalog)
        if not infinite:
            return _Built(job=job, normal=normal)
    except msgspec.ValidationError as error:
        refusal = str(error)
    # jsonschema is imported only here: a spec without faults does not wait for it.
    from recplat.spec.faults import to_diagnostics
    from recplat.spec.repair import repair
    from recplat.spec.validate import not_finite, structural_faults

    faults = structural_faults(plain, normaliser.catalog)
    assert faults or infinite, f"the builder refuses what the schema accepts: {refusal}"
    faults = [fault for fault in faults if fault.steps not in infinite] + [not_finite(steps) for steps in infinite]
    untold = [fault for fault in faults if fault.steps not in told]
    diagnostics = tuple(to_diagnostics(untold, normal, normaliser.catalog))
    rest, repaired, left_out = repair(normal, faults, normaliser)
    return _Built(job=rest, normal=repaired, faults=diagnostics, left_out=left_out)
