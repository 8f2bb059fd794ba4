"""`recplat init`: a first spec that runs as it is."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath

import click

from recplat.cli._source_options import text_file_options
from recplat.cli.templates.spec_text import MODELS, Outline, spec_text
from recplat.diagnostics import Diagnostic, Problems

SCHEMA = "trainingjob.schema.json"
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


@click.command(epilog="Example: recplat init first --template dlrm && recplat apply first.yaml")
@click.argument("name")
@click.option(
    "--template", type=click.Choice(list(MODELS)), default="deepfm", show_default=True, help="The model to begin with."
)
@click.option("--data", type=click.Path(), help="Your data: it is looked at, and the features proposed.")
@click.option("--label", metavar="COLUMN", help="The column to predict, where --data doesn't make it plain.")
@text_file_options
@click.option("--dir", "folder", type=click.Path(file_okay=False), default=".", help="Where to write; made if absent.")
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
def command(
    name: str,
    template: str,
    data: str | None,
    label: str | None,
    delimiter: str | None,
    no_header: bool,
    folder: str,
    force: bool,
) -> None:
    """Write NAME.yaml, a short spec that runs as it is.

    Without --data it has at most 25 lines, and a small made-up click log is written beside it.
    """
    if not _is_name(name):
        message = f"`{name}`: a name has lower-case letters, digits and `-`, at most 63.{_meant(name)}"
        raise click.BadParameter(message, param_hint="NAME")
    target = Path(folder)
    spec, sample = target / f"{name}.yaml", target / f"{name}.csv"
    if not force:
        _refuse_to_overwrite([spec] if data else [spec, sample])
    if data:
        outline = _outline_of_data(data, label, target, delimiter, header=not no_header)
    else:
        outline = _outline_of_sample(sample)
    target.mkdir(parents=True, exist_ok=True)
    text = spec_text(name, template, outline, _schema_beside(target))
    if not data:
        from recplat.cli.templates.sample_data import NUM_ROWS, write_sample

        write_sample(sample)
        click.echo(f"wrote {sample}: {NUM_ROWS} rows of made-up clicks")
    spec.write_text(text, encoding="utf-8")
    click.echo(f"wrote {spec}")
    click.echo(f"next: recplat apply {spec}")


def _is_name(text: str) -> bool:
    return len(text) <= 63 and _NAME.fullmatch(text) is not None


def _meant(text: str) -> str:
    """The nearest that can be a name, with the folder as an option of its own."""
    path = PurePath(text)
    stem = path.name.removesuffix(path.suffix) if path.suffix in (".yaml", ".yml") else path.name
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
    folder = f" --dir {path.parent}" if path.parent != PurePath() else ""
    return f" Did you mean `{name}{folder}`?" if _is_name(name) else ""


def _refuse_to_overwrite(paths: list[Path]) -> None:
    problems = [
        Diagnostic("file-exists", f"`{path}` exists already", help="choose another NAME, or overwrite with `--force`")
        for path in paths
        if path.exists()
    ]
    if problems:
        raise Problems(problems)


def _outline_of_data(data: str, label: str | None, target: Path, delimiter: str | None, *, header: bool) -> Outline:
    from recplat.cli.templates.from_data import outline_of_data

    return outline_of_data(data, label, directory=target, delimiter=delimiter, header=header)


def _outline_of_sample(sample: Path) -> Outline:
    from recplat.cli.templates.sample_data import outline

    return outline(sample.name)


def _schema_beside(folder: Path) -> str:
    """The schema for editors, relative to the folder: the project's own, else one that is written to `.recplat/`."""
    from recplat.spec.paths import STATE_FOLDER, project_root

    root = project_root(folder)
    schema = root / "schemas" / SCHEMA
    if not schema.is_file():
        import json

        from recplat.catalog import builtin_catalog
        from recplat.spec.schema import document_schema

        schema = root / STATE_FOLDER / SCHEMA
        schema.parent.mkdir(exist_ok=True)
        schema.write_text(json.dumps(document_schema(builtin_catalog(), "authoring")), encoding="utf-8")
    return Path(os.path.relpath(schema, folder.resolve())).as_posix()
