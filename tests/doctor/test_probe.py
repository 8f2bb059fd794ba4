import sys
from pathlib import Path

from recplat.doctor.probe import probe_lookup


def test_a_lookup_works_with_what_is_installed():
    probe = probe_lookup(sys.executable, on_gpu=False)
    assert probe.succeeded, probe.error
    assert probe.device == "cpu"


def _interpreter(folder: Path, script: str) -> str:
    """A program that stands in for a Python whose torch misbehaves."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_a_crash_tells_its_last_words(tmp_path: Path):
    probe = probe_lookup(_interpreter(tmp_path, "echo 'OSError: cannot open shared object file' >&2; exit 1"))
    assert not probe.succeeded
    assert probe.error == "OSError: cannot open shared object file"


def test_a_crash_without_words_tells_its_exit_code(tmp_path: Path):
    assert "exit code -11" in probe_lookup(_interpreter(tmp_path, "kill -SEGV $$")).error


def test_a_hang_ends_in_time(tmp_path: Path):
    probe = probe_lookup(_interpreter(tmp_path, "exec sleep 60"), timeout_s=0.5)
    assert probe.timed_out
    assert probe.seconds < 10
