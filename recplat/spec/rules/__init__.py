"""Cross-field rules: small named functions, each with the codes it reports. `RULES` is the list, in reading order.

To add one: write it in the file of its section, with `@rule(...)` naming the fields it looks at (`whole=` those whose
absence it would notice), and its code in `recplat/diagnostics/codes`. Where one of them could not be read, the rule is
left out: one fault is not reported twice.
"""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.spec.rules import data, evaluation, features, model, tables, training
from recplat.spec.rules.base import Context, Rule

RULES: tuple[Rule, ...] = (
    *data.RULES,
    *features.RULES,
    *tables.RULES,
    *model.RULES,
    *training.RULES,
    *evaluation.RULES,
)


def check(context: Context) -> Iterator[Diagnostic]:
    """All faults that the rules find."""
    for rule in RULES:
        if rule.applies(context.left_out):
            yield from rule.check(context)


__all__ = ["RULES", "Context", "Rule", "check"]
