"""recplat: one YAML spec, planned, trained with TorchRec, tracked in MLflow.

`load`, `plan` and `apply` are the Python API; see `recplat.api`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recplat.api import apply, load, plan

__all__ = ["apply", "load", "plan"]


def __getattr__(name: str) -> Any:
    # Looked up late: the command line imports this package and should not wait for all of it.
    if name in __all__:
        from recplat import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
