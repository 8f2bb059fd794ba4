"""What rules are made of."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from recplat.catalog import Catalog
from recplat.diagnostics import Diagnostic, Related, Severity
from recplat.document import Node
from recplat.lang.kinds import Fault
from recplat.spec.find import Step, find, path_of
from recplat.spec.types import Spec, TrainingJob


class Context(Struct, frozen=True, kw_only=True):
    """What rules look at: the typed job, and the nodes it was built from."""

    job: TrainingJob
    root: Node
    catalog: Catalog
    #: Paths below `spec` that had structural faults and were left out; items of lists by their names.
    left_out: frozenset[tuple[Step, ...]] = frozenset()

    @property
    def spec(self) -> Spec:
        return self.job.spec

    def problem(
        self,
        code: str,
        steps: tuple[Step, ...],
        message: str,
        *,
        help: str,
        severity: Severity = "error",
        related: tuple[Related, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Diagnostic:
        """A diagnostic about the place at `steps` below `spec`; names of items stand for themselves."""
        full = ("spec", *steps)
        return Diagnostic(
            code,
            message,
            help=help,
            severity=severity,
            path=path_of(self.root, full),
            location=find(self.root, full)[1],
            related=related,
            notes=notes,
        )

    def related(self, message: str, *steps: Step) -> tuple[Related, ...]:
        return (Related(message, find(self.root, ("spec", *steps))[1]),)

    def from_fault(self, fault: Fault, *steps: Step) -> Diagnostic:
        """A catalog folder's own finding, at the options that stand at `steps`."""
        below = tuple(int(word) if word.isdigit() else word for word in fault.field.split(".") if word)
        return self.problem(fault.code, (*steps, *below), fault.message, help=fault.help)


class Rule(Struct, frozen=True):
    """A rule and what it looks at, as dotted paths below `spec`."""

    check: Callable[[Context], Iterator[Diagnostic]]
    reads: tuple[str, ...]  # left out when one of these, or what holds it, was left out
    needs_whole: tuple[str, ...]  # left out when anything at or below one of these was

    def applies(self, context: Context) -> bool:
        for path in context.left_out:
            if any(_starts(read.split("."), path) for read in (*self.reads, *self.needs_whole)):
                return False
            if any(_starts(path, whole.split(".")) for whole in self.needs_whole):
                return False
        return True


def rule(*reads: str, whole: tuple[str, ...] = ()) -> Callable[[Callable[[Context], Iterator[Diagnostic]]], Rule]:
    """Makes a function a rule that looks at these paths."""
    return lambda check: Rule(check, reads, whole)


def _starts(path: Iterable[Step], start: Iterable[Step]) -> bool:
    path, start = tuple(path), tuple(start)
    return path[: len(start)] == start
