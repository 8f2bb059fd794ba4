"""Rules about what a job runs on."""

from collections.abc import Iterator

from recplat.diagnostics import Diagnostic
from recplat.lang.units import parse_bytes, parse_seconds
from recplat.spec.rules.base import Context, rule


@rule("resources.time_limit", "sharding.hbm_per_rank", "sharding.host_memory_per_rank")
def amounts_are_positive(context: Context) -> Iterator[Diagnostic]:
    limit = context.spec.resources.time_limit
    if limit is not None and parse_seconds(limit) <= 0:
        yield _zero(context, ("resources", "time_limit"), limit, "6h")
    for name in ("hbm_per_rank", "host_memory_per_rank"):
        size = getattr(context.spec.sharding, name)
        if size is not None and parse_bytes(size) <= 0:
            yield _zero(context, ("sharding", name), size, "32GiB")


def _zero(context: Context, steps: tuple[str, ...], text: str, example: str) -> Diagnostic:
    path = ".".join(steps)
    return context.problem(
        "out-of-range",
        steps,
        f"`spec.{path}` must be more than zero, not `{text}`",
        help=f"write for instance `{example}`, or leave it out",
    )


RULES = (amounts_are_positive,)
