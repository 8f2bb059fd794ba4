"""`recplat apply` where libraries of the ranks are missing, in a process that really can't see them."""

import subprocess
import sys
import sysconfig
from fnmatch import fnmatch
from pathlib import Path

import pytest

from recplat.doctor.requirements import missing_libraries
from tests.launch.tiny_project import make_project

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    make_project(folder)
    return folder


def apply_without(project: Path, *hidden: str) -> subprocess.CompletedProcess[str]:
    """With all that is installed here, but what has one of these names; they may hold `*`."""
    packages = project.parent / "packages"
    packages.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not any(fnmatch(path.name, pattern) for pattern in hidden):
            (packages / path.name).symlink_to(path)
    program = [sys.executable, "-S", "-c", "from recplat.cli import main; main()", "apply", "tiny.yaml"]
    environment = {"PYTHONPATH": f"{packages}:{REPOSITORY}", "PATH": "/usr/bin:/bin"}
    return subprocess.run(program, cwd=project, env=environment, capture_output=True, text=True, timeout=120)


def test_all_is_there_where_the_tests_run():
    assert missing_libraries() == ()


def test_libraries_that_are_missing_are_told_with_the_lines_for_pip_and_leave_no_run(project):
    done = apply_without(project, "torch*", "fbgemm*")
    assert done.returncode == 1
    assert "error[package-missing]: not installed: torch, torchrec, fbgemm-gpu" in done.stderr
    assert "-m pip install torch==" in done.stderr
    assert "-m pip install --no-deps torchrec==" in done.stderr
    assert not (project / ".recplat" / "runs").exists()


def test_what_torchrec_needs_is_told(project):
    done = apply_without(project, "tensordict*")
    assert "torchrec needs tensordict" in done.stderr
    assert not (project / ".recplat" / "runs").exists()


def test_a_package_whose_files_are_gone_is_told_with_its_version(project):
    done = apply_without(project, "fbgemm_gpu")
    assert "installed, but without their files: fbgemm_gpu" in done.stderr
    assert "--force-reinstall --no-deps fbgemm-gpu" in done.stderr
