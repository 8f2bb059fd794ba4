"""Rules about features."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.spec.rules.base import Context, names_given_twice, rule


@rule("features")
def names_differ(context: Context) -> Iterator[Diagnostic]:
    names = (feature.name for feature in context.spec.features)
    help = "give one of them another `name`; both may read the same `column`"
    yield from names_given_twice(context, "features", names, help)


@rule("features")
def options_are_consistent(context: Context) -> Iterator[Diagnostic]:
    for index, feature in enumerate(context.spec.features):
        yield from context.faults_of(feature, "features", index)


@rule("features", "data.label.column")
def label_is_no_feature(context: Context) -> Iterator[Diagnostic]:
    label = context.spec.data.label.column
    for index, feature in enumerate(context.spec.features):
        if label in feature.columns():
            yield context.problem(
                "label-as-feature",
                ("features", index),
                f"feature `{feature.name}` reads `{label}`, the label's column: the model would be told the answer",
                help=f"remove the feature, or name another column than `{label}`",
                related=context.related("the label", "data", "label", "column"),
            )


RULES = (names_differ, options_are_consistent, label_is_no_feature)
