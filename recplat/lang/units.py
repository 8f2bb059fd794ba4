"""Sizes and durations as people write them."""

BYTES = {"TiB": 2**40, "GiB": 2**30, "MiB": 2**20, "KiB": 2**10, "B": 1}
SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse_bytes(text: str) -> int:
    """Bytes in a text such as `32GiB`.

    Raises:
        ValueError: the text is not a number followed by B, KiB, MiB, GiB or TiB.
    """
    for unit, size in BYTES.items():
        if text.endswith(unit):
            return int(float(text.removesuffix(unit)) * size)
    raise ValueError(f"`{text}` is not a size: write a number and B, KiB, MiB, GiB or TiB")


def parse_seconds(text: str) -> float:
    """Seconds in a text such as `15m`.

    Raises:
        ValueError: the text is not a number followed by ms, s, m, h or d.
    """
    for unit, size in SECONDS.items():
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * size
    raise ValueError(f"`{text}` is not a duration: write a number and ms, s, m, h or d")


def format_bytes(num_bytes: float) -> str:
    """A size for people: `1.5 GiB`, `512 B`."""
    for unit, size in BYTES.items():
        if abs(num_bytes) >= size and size > 1:
            return f"{num_bytes / size:.3g} {unit}" if num_bytes / size < 1000 else f"{num_bytes / size:.0f} {unit}"
    return f"{num_bytes:.0f} B"


def format_seconds(seconds: float) -> str:
    """A duration for people: `2h 05m`, `3m 20s`, `4.2s`, `15ms`."""
    if seconds >= 3600:
        return f"{int(seconds // 3600)}h {int(seconds % 3600 // 60):02d}m"
    if seconds >= 60:
        return f"{int(seconds // 60)}m {int(seconds % 60):02d}s"
    return f"{seconds:.1f}s" if seconds >= 1 else f"{seconds * 1000:.0f}ms"
