"""`recplat schema`."""

from __future__ import annotations

import click


@click.command(epilog="Example: recplat schema my-job.yaml > my-job.schema.json")
@click.argument("spec", required=False, type=click.Path(dir_okay=False))
@click.option(
    "--form",
    type=click.Choice(["authoring", "normal"]),
    default="authoring",
    show_default=True,
    help="The form that people write, or the normal form.",
)
def command(spec: str | None, form: str) -> None:
    """Print the JSON Schema of the spec language, for editors and other tools.

    With SPEC, it knows the models, features and toggles of that spec's own `catalog` folders too; what else the spec
    says is no matter.
    """
    import json

    from recplat.catalog import builtin_catalog
    from recplat.spec.catalogs import catalog_of
    from recplat.spec.schema import Form, document_schema

    catalog = catalog_of(spec) if spec else builtin_catalog()
    chosen: Form = "normal" if form == "normal" else "authoring"
    click.echo(json.dumps(document_schema(catalog, chosen), indent=2, ensure_ascii=False))
