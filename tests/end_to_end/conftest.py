"""Runs that several tests look at. Each costs the seconds in which its ranks import their libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recplat.tracking.stores import import_mlflow, open_client
from tests.end_to_end.command import Done, Going, recplat, run_folders, strict_json
from tests.end_to_end.project_builder import make_project

SPEC = "specs/films.yaml"


class Run:
    """A run that has ended: what its command said, and its folder."""

    def __init__(self, folder: Path, done: Done) -> None:
        self.folder, self.done = folder, done

    @property
    def run_id(self) -> str:
        return self.folder.name

    def read(self, name: str) -> Any:
        """A JSON file of its folder."""
        return strict_json((self.folder / name).read_text())


def apply(project: Path, spec: str, *arguments: str) -> Run:
    before = run_folders(project)
    done = recplat(project, "apply", spec, *arguments)
    [folder] = [each for each in run_folders(project) if each not in before] or [project / "none"]
    return Run(folder, done)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def one_rank(project: Path) -> Run:
    """At one rank; its command printed text."""
    return apply(project, SPEC)


@pytest.fixture(scope="session")
def two_ranks(project: Path, one_rank: Run) -> Run:
    """The same at two ranks; its command printed JSON."""
    return apply(project, SPEC, "--set", "spec.resources.ranks_per_node=2", "-o", "json")


@pytest.fixture(scope="session")
def client(project: Path, one_rank: Run) -> Any:
    """Of the project's MLflow store."""
    import_mlflow()
    return open_client(f"sqlite:///{project}/.recplat/mlflow.db")


@pytest.fixture
def start(project: Path) -> Iterator[Callable[..., Going]]:
    """Starts runs that a test ends in its own way; nothing of them is left afterwards."""
    started: list[Going] = []

    def start(*arguments: str) -> Going:
        started.append(Going(project, *arguments))
        return started[-1]

    yield start
    for going in started:
        going.kill_all()
        going.finish()
