"""constraints.txt names exactly the set that the tests run with."""

import re
import subprocess
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from recplat.doctor.checks import SETS

ROOT = Path(__file__).parent.parent.parent
_PIN = re.compile(r"^([a-z0-9-]+)==(\S+)$")

#: torchrec's metadata asks for the CUDA build of fbgemm everywhere; the CPU machines have the other one.
EITHER_BUILD = {"fbgemm-gpu", "fbgemm-gpu-cpu"}


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    found = [_PIN.match(line) for line in lines if not line.startswith("#")]
    assert all(found), "each line is name==version"
    return {match[1]: match[2] for match in found if match}


def _needed() -> dict[str, set[str]]:
    """Every package that recplat with all extras needs, with the packages that need it."""
    needed: dict[str, set[str]] = {}
    queue = [("recplat", frozenset({"torchrec", "tracking", "kubernetes", "dev"})), ("torchrec", frozenset())]
    seen = set()
    while queue:
        name, extras = queue.pop()
        if (name, extras) in seen or (name in EITHER_BUILD and not _is_installed(name)):
            continue
        seen.add((name, extras))
        for text in metadata.requires(name) or ():
            requirement = Requirement(text)
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in (*extras, "")):
                continue
            child = canonicalize_name(requirement.name)
            needed.setdefault(child, set()).add(name)
            queue.append((child, frozenset(requirement.extras)))
    return needed


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def test_every_direct_and_indirect_dependency_is_pinned():
    pins = _pins()
    assert {name: parents for name, parents in _needed().items() if name not in pins and name != "recplat"} == {}


def test_the_tests_run_with_the_pinned_versions():
    different = {
        name: (pin, metadata.version(name))
        for name, pin in _pins().items()
        if _is_installed(name) and metadata.version(name).partition("+")[0] != pin
    }
    assert different == {}


def test_the_pinned_set_is_the_one_that_doctor_calls_tested():
    pins = _pins()
    assert (pins["torch"], pins["torchrec"], pins["fbgemm-gpu-cpu"]) == SETS[0]
    assert pins["fbgemm-gpu"] == pins["fbgemm-gpu-cpu"]


@pytest.mark.parametrize("page", ["README.md", "docs/how-to/install.md"])
def test_the_install_lines_name_the_pinned_versions(page: str):
    pins = _pins()
    text = (ROOT / page).read_text()
    assert f"pip install --no-deps torchrec=={pins['torchrec']} fbgemm-gpu-cpu=={pins['fbgemm-gpu-cpu']}" in text


def test_no_package_index_is_named_in_the_tree():
    """Whoever installs chooses where from."""
    hosts = [
        "pypi" + ".org",
        "python" + "hosted",
        "registry.npm" + "js",
        "download.py" + "torch",
        "deb.debian" + ".org",
        "--index" + "-url",
    ]
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    named = [
        (name, host)
        for name in files
        if (ROOT / name).is_file()
        for host in hosts
        if host in (ROOT / name).read_text(encoding="utf-8", errors="ignore")
    ]
    assert named == []
