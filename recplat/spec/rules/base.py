"""What rules are made of."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from recplat.catalog import Catalog
from recplat.diagnostics import Diagnostic, Related, Severity
from recplat.document import Mapping, Node, Scalar
from recplat.lang.kinds import Fault, Kind, Toggle
from recplat.spec.find import Step, find, named_steps, path_of
from recplat.spec.left_out import LeftOut
from recplat.spec.types import Spec, TrainingJob


class Context(Struct, frozen=True, kw_only=True):
    """What rules look at: the typed job, and the nodes it was built from."""

    job: TrainingJob
    root: Node
    catalog: Catalog
    left_out: LeftOut  # what had structural faults

    @property
    def spec(self) -> Spec:
        return self.job.spec

    @property
    def num_ranks(self) -> int:
        return self.spec.resources.nodes * self.spec.resources.ranks_per_node

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

    def faults_of(self, options: Kind | Toggle, *steps: Step) -> Iterator[Diagnostic]:
        """What a catalog folder finds in its options, which stand at `steps`; nothing where a part was left out."""
        if self.is_whole(*steps):
            yield from (self.from_fault(fault, *steps) for fault in options.faults())

    def from_fault(self, fault: Fault, *steps: Step) -> Diagnostic:
        """A catalog folder's own finding, at the options that stand at `steps`."""
        below = tuple(int(word) if word.isdigit() else word for word in fault.field.split(".") if word)
        return self.problem(fault.code, (*steps, *below), fault.message, help=fault.help)

    def is_whole(self, *steps: Step) -> bool:
        """Whether nothing there was left out."""
        return not self.left_out or not self.left_out.touch(named_steps(self.root, ("spec", *steps))[1:])

    def is_written(self, *steps: Step) -> bool:
        """Whether somebody wrote the field, rather than leaving it at its default."""
        *around, last = ("spec", *steps)
        node, _ = find(self.root, around)
        entry = node.entries.get(str(last)) if isinstance(node, Mapping) else None
        return entry is not None and entry.location != node.location

    def text(self, *steps: Step) -> str:
        """What the file says there, for a scalar."""
        node, _ = find(self.root, ("spec", *steps))
        return node.text if isinstance(node, Scalar) else ""


class Rule(Struct, frozen=True):
    """A rule and what it looks at, as paths below `spec`."""

    check: Callable[[Context], Iterator[Diagnostic]]
    reads: tuple[tuple[str, ...], ...]  # left out when one of these, or what holds it, was left out
    needs_whole: tuple[tuple[str, ...], ...]  # left out when anything at or below one of these was

    def applies(self, left_out: LeftOut) -> bool:
        if any(left_out.hold(path) for path in (*self.reads, *self.needs_whole)):
            return False
        return not any(left_out.touch(path) for path in self.needs_whole)


def rule(*reads: str, whole: tuple[str, ...] = ()) -> Callable[[Callable[[Context], Iterator[Diagnostic]]], Rule]:
    """Makes a function a rule that looks at these dotted paths below `spec`."""

    def make(check: Callable[[Context], Iterator[Diagnostic]]) -> Rule:
        return Rule(check, tuple(_steps(path) for path in reads), tuple(_steps(path) for path in whole))

    return make


def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def names_given_twice(context: Context, section: str, names: Iterable[str], help: str) -> Iterator[Diagnostic]:
    """A problem for each item of `section`, a list of named things, whose name an earlier item has."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name in first:
            yield context.problem(
                "duplicate-name",
                (section, index, "name"),
                f"there are two {section} named `{name}`",
                help=help,
                related=context.related("the first one", section, first[name], "name"),
            )
        first.setdefault(name, index)
