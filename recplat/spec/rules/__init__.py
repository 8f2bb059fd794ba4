"""Cross-field rules: small named functions, each with the codes it reports. `RULES` is the list, in reading order.

To add one: write it in the file of its section, with `@rule(...)` naming what it looks at. Where that could not be
read, the rule is left out: one fault is not reported twice.
"""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.document import join_path
from recplat.spec.rules import data, evaluation, features, model, resources, tables, training
from recplat.spec.rules.base import Context, Rule

RULES: tuple[Rule, ...] = (
    *data.RULES,
    *features.RULES,
    *tables.RULES,
    *model.RULES,
    *training.RULES,
    *evaluation.RULES,
    *resources.RULES,
)


def check(context: Context) -> Iterator[Diagnostic]:
    """All faults that the rules find; those about an item that has a structural fault already are left out."""
    spoiled = {join_path(("spec", *path[:-1])) for path in context.left_out if len(path) > 2}
    for rule in RULES:
        if rule.applies(context):
            yield from (found for found in rule.check(context) if found.path not in spoiled)


__all__ = ["RULES", "Context", "Rule", "check"]
