"""`recplat explain`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from recplat.cli._options import output_option
from recplat.cli._output import print_json

if TYPE_CHECKING:
    from recplat.spec.describe import FieldText
    from recplat.spec.explain import Explanation


@click.command(epilog="Example: recplat explain models.toy --spec my-job.yaml")
@click.argument("topic")
@click.option(
    "--spec",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Know what this spec's own `catalog` folders hold, too.",
)
@output_option()
def command(topic: str, spec: str | None, output: str) -> None:
    """Tell all about a diagnostic's code, a field of the spec, or an entry of the catalog.

    TOPIC is a code (`unknown-field`), a path (`spec.train.batch_size`), or a name (`models.deepfm`).
    """
    from recplat.diagnostics import explain

    text = explain(topic)
    if text is not None:
        if output == "json":
            print_json({"title": topic, "text": text})
        else:
            click.echo(text.rstrip())
        return
    from recplat.catalog import builtin_catalog
    from recplat.spec.catalogs import catalog_of
    from recplat.spec.explain import explain_topic

    explanation = explain_topic(topic, catalog_of(spec) if spec else builtin_catalog())
    if output == "json":
        print_json(explanation)
    else:
        click.echo("\n".join(_lines(explanation)))


def _lines(explanation: Explanation) -> Iterator[str]:
    yield f"# {explanation.title}"
    yield ""
    if explanation.field:
        yield f"{_short(explanation.field)}"
        yield from _wrapped(explanation.field.description, "")
    elif explanation.text:
        yield explanation.text
    if explanation.shorthands:
        yield ""
        for sentence in explanation.shorthands:
            yield from _wrapped(sentence, "")
    if explanation.fields:
        yield ""
        for field in explanation.fields:
            yield f"{field.name}: {_short(field)}"
            yield from _wrapped(field.description, "    ")
    if explanation.choices:
        yield ""
        yield from (f"recplat explain {choice}" for choice in explanation.choices)


def _short(field: FieldText) -> str:
    default = field.default if field.default == "required" else f"default {field.default}" if field.default else ""
    return "; ".join(part for part in (field.type, default) if part)


def _wrapped(text: str, indent: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width=100, initial_indent=indent, subsequent_indent=indent)
