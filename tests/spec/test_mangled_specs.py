"""Whatever a spec is, checking it ends, and ends in diagnostics that can be shown."""

import json
import time
from pathlib import Path

import pytest

from recplat.diagnostics import render_json, render_text
from recplat.spec.load import Checked, check_job
from tests.spec.mangle import mangled, sources

COUNT = 1000
#: Ends a hang; how fast it is on a machine at rest is measured by `bench/fuzz_validator.py`.
LIMIT_S = 30.0


@pytest.mark.parametrize("start", range(0, COUNT, 100))
def test_a_mangled_spec_is_told_what_is_wrong(tmp_path: Path, start: int):
    texts = sources()
    (tmp_path / ".recplat").mkdir()
    for seed in range(start, start + 100):
        file = tmp_path / "job.yaml"
        file.write_text(mangled(seed, texts), encoding="utf-8", errors="surrogatepass", newline="")
        begin = time.monotonic()
        try:
            check_and_show(file)
        except Exception as error:
            raise AssertionError(f"mangled({seed}, sources())") from error
        assert time.monotonic() - begin < LIMIT_S, seed


def check_and_show(file: Path) -> Checked:
    """Check a spec and show what is found, as text and as JSON."""
    checked = check_job(file, env={})
    assert all(found.message and found.help for found in checked.diagnostics)
    assert checked.loaded is not None or any(found.severity == "error" for found in checked.diagnostics)
    render_text(checked.diagnostics, color=True, read_source=checked.sources.get)
    json.loads(render_json(checked.diagnostics))
    return checked
