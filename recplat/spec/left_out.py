"""Which parts of a spec could not be read, so that nothing is said about them twice."""

from collections.abc import Iterable

from recplat.spec.find import Step

Path = tuple[Step, ...]


class LeftOut:
    """Paths below `spec`, items of lists by their names."""

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        self._paths = frozenset(paths)
        self._prefixes = frozenset(path[:length] for path in self._paths for length in range(1, len(path) + 1))

    def __bool__(self) -> bool:
        return bool(self._paths)

    def hold(self, path: Path) -> bool:
        """Whether it was left out, or something around it was."""
        return any(path[:length] in self._paths for length in range(1, len(path) + 1))

    def touch(self, path: Path) -> bool:
        """Whether it was left out, or something in it was."""
        return path in self._prefixes
