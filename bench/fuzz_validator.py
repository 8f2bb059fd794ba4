"""Breaks specs at random and checks them: none may raise, or take longer than two seconds.

    python -m bench.fuzz_validator --count 10000

The same numbers give the same specs. Not part of `python -m bench`: it measures nothing but the worst case.
"""

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.spec.mangle import mangled, sources
from tests.spec.test_mangled_specs import check_and_show

LIMIT_S = 2.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first spec")
    arguments = parser.parse_args()
    numbers = range(arguments.first, arguments.first + arguments.count)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".recplat").mkdir()
        seconds, failed = _run(numbers, Path(folder) / "job.yaml")
    slowest = max(seconds, key=lambda pair: pair[1])
    total = sum(spent for _, spent in seconds)
    print(f"{len(seconds):,} specs in {total:.1f} s, {1000 * total / len(seconds):.2f} ms each")
    print(f"slowest: {slowest[1]:.3f} s, spec {slowest[0]}; {failed} failed")
    return 1 if failed else 0


def _run(numbers: range, file: Path) -> tuple[list[tuple[int, float]], int]:
    """Seconds by spec, and how many raised or took too long."""
    texts, seconds, failed = sources(), [], 0
    for number in numbers:
        file.write_text(mangled(number, texts), encoding="utf-8", errors="surrogatepass", newline="")
        begin = time.perf_counter()
        try:
            check_and_show(file)
        except Exception:
            failed += 1
            print(f"spec {number}:", traceback.format_exc(), file=sys.stderr)
        seconds.append((number, time.perf_counter() - begin))
        if seconds[-1][1] > LIMIT_S:
            failed += 1
            print(f"spec {number} took {seconds[-1][1]:.1f} s", file=sys.stderr)
    return seconds, failed


if __name__ == "__main__":
    sys.exit(main())
