"""The documentation says nothing that isn't so: commands parse, links lead somewhere, generated pages are fresh."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from recplat.cli import cli
from tools.links import ROOT, broken_links

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _commands(page: Path, program: str) -> Iterator[list[str]]:
    """Arguments of every line `$ program …` in the console blocks of a page."""
    for block in _CONSOLE.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r" &&? ?", line.removeprefix("$ ")) if line.startswith("$ ") else ():
                words = shlex.split(part.split(" > ")[0].split(" >> ")[0].split(" | ")[0], comments=True)
                if words[:1] == [program]:
                    yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_recplat_command_in_the_docs_can_be_given(page: Path, monkeypatch: pytest.MonkeyPatch):
    # The files of an example need not be here.
    monkeypatch.setattr(click.Path, "convert", lambda self, value, param, ctx: value)
    for words in _commands(page, "recplat"):
        _parse(cli, words, None)


def _parse(command: click.Command, words: list[str], parent: click.Context | None) -> None:
    """Parse the words as the command line would, without running anything.

    Raises:
        click.UsageError: no such command, option or choice, or an argument is missing.
    """
    try:
        context = command.make_context(command.name or "recplat", list(words), parent=parent)
    except click.exceptions.Exit:
        return  # --help, --version
    if isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
        _, inner, rest = command.resolve_command(context, rest)
        assert inner is not None
        _parse(inner, rest, context)


_SET = re.compile(r"--set[ =]'?\"?([A-Za-z0-9_.-]+)=")


# The reference shows mistakes too.
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent.name != "reference"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_every_path_that_is_set_in_the_docs_exists(page: Path):
    for path in _SET.findall(page.read_text(encoding="utf-8")):
        shown = CliRunner().invoke(cli, ["explain", _without_names(path)])
        assert path.startswith(("spec.", "metadata.")), path
        assert shown.exit_code == 0, f"{path}: {shown.stderr}"


def _without_names(path: str) -> str:
    """`spec.tables.user_id.rows` -> `spec.tables.rows`, as `recplat explain` names it."""
    return re.sub(r"^(spec\.(?:tables|features|sharding\.tables))\.[^.]+", r"\1", path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_make_target_in_the_docs_exists(page: Path):
    makefile = (ROOT / "Makefile").read_text()
    for words in _commands(page, "make"):
        for target in (word for word in words if "=" not in word):
            assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    assert list(broken_links(page)) == []


def test_a_broken_link_is_found(tmp_path: Path):
    (tmp_path / "other.md").write_text("# A Heading, with *marks*\n")
    page = tmp_path / "page.md"
    page.write_text("[a](other.md#a-heading-with-marks)\n`[b](code.md)`\n\n[c](absent.md) [d](other.md#absent)\n")
    assert [problem.partition(": ")[2] for problem in broken_links(page)] == [
        "`absent.md` leads to no file",
        "`other.md#absent`: there is no such heading",
    ]
    assert [problem.split(":")[1] for problem in broken_links(page)] == ["4", "4"]
