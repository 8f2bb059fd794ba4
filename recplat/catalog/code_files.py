"""What must lie beside an `options.py`: which file, with which functions. Read without running it, so without torch."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Of each kind that has code: its file, and functions of which it needs one of each group.
_CODE: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "models": ("module.py", (("build",),)),
    "features": ("transform.py", (("read",),)),
    "transforms": ("transform.py", (("transform",),)),
    "metrics": ("compute.py", (("compute",),)),
    "dense_optimizers": ("impl.py", (("build",),)),
    "embedding_optimizers": ("impl.py", (("fused_params", "build"),)),
    "initializers": ("impl.py", (("fill",),)),
}


def what_is_missing(folder: Path, kind: str, options: Any) -> str | None:
    """What the folder of these options lacks to be run, in a sentence; None where it lacks nothing.

    Args:
        folder: `<root>/<kind>/<name>`.
        options: the class or an object of it.
    """
    if kind not in _CODE:
        return None
    name, groups = _CODE[kind]
    file = folder / name
    if not file.is_file():
        return f"`{file}` is missing"
    try:
        defined = set(_names(ast.parse(file.read_bytes()).body))
    except SyntaxError as error:
        return f"`{file}` fails to load: line {error.lineno}: {error.msg}"
    except ValueError as error:  # a NUL in it
        return f"`{file}` fails to load: {error}"
    if getattr(options, "needs", None) == "vocabulary":
        groups = (*groups, ("select",))
    for functions in groups:
        if defined.isdisjoint((*functions, "*", "__getattr__")):
            return f"`{file}` has no function {' or '.join(f'`{function}`' for function in functions)}"
    return None


def _names(body: list[ast.stmt]) -> Iterator[str]:
    """Names that a module has once it is imported, `*` for those of another one that can't be seen from here."""
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield statement.name
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name for alias in statement.names)
            case ast.Assign():
                found = (node for target in statement.targets for node in ast.walk(target))
                yield from (node.id for node in found if isinstance(node, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.If() | ast.Try() | ast.With():
                inner = [statement.body, getattr(statement, "orelse", []), getattr(statement, "finalbody", [])]
                inner += [handler.body for handler in getattr(statement, "handlers", [])]
                for statements in inner:
                    yield from _names(statements)
