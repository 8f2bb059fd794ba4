from collections.abc import Callable, Iterable

import pytest

from recplat.diagnostics import Diagnostic, explain
from recplat.doctor.checks import examine
from recplat.doctor.facts import Facts
from recplat.doctor.probe import Probe
from recplat.lang.units import BYTES
from tests.doctor.facts_builder import H200, healthy


def test_a_healthy_machine_has_no_findings():
    assert examine(healthy()) == ()


def test_a_healthy_gpu_machine_has_no_findings():
    assert examine(healthy(gpus=(H200,), fbgemm_gpu="1.8.0", fbgemm_gpu_cpu=None)) == ()


def test_both_builds_of_fbgemm_are_an_error_that_says_which_to_keep():
    [finding] = examine(healthy(fbgemm_gpu="1.8.0"))
    assert (finding.code, finding.severity) == ("fbgemm-installed-twice", "error")
    assert "uninstall --yes fbgemm-gpu fbgemm-gpu-cpu\n" in finding.help
    assert finding.help.endswith("install --no-deps fbgemm-gpu-cpu==1.8.0")


def test_both_builds_on_a_gpu_machine_keep_the_cuda_one():
    [finding] = examine(healthy(gpus=(H200,), fbgemm_gpu="1.8.0"))
    assert finding.help.endswith("install --no-deps fbgemm-gpu==1.8.0")


def test_the_cuda_build_without_a_gpu_is_an_error():
    [finding] = examine(healthy(fbgemm_gpu="1.8.0", fbgemm_gpu_cpu=None))
    assert (finding.code, finding.severity) == ("fbgemm-wrong-build", "error")
    assert "no GPU is visible" in finding.message
    assert finding.help.endswith("install --no-deps fbgemm-gpu-cpu==1.8.0")


def test_the_cuda_build_beside_a_torch_for_the_cpu_is_an_error_even_with_a_gpu():
    [finding] = examine(healthy(gpus=(H200,), torch_cuda=None, fbgemm_gpu="1.8.0", fbgemm_gpu_cpu=None))
    assert finding.severity == "error"
    assert "torch is a build without CUDA" in finding.message


def test_the_cpu_build_on_a_gpu_machine_is_a_warning():
    [finding] = examine(healthy(gpus=(H200,)))
    assert (finding.code, finding.severity) == ("fbgemm-wrong-build", "warning")
    assert "NVIDIA H200" in finding.message


@pytest.mark.parametrize(
    "packages",
    [{"torch": "2.12.1"}, {"torchrec": "1.7.0"}, {"fbgemm_gpu_cpu": "1.7.0"}, {"torch": "2.14.0", "torchrec": "1.9.0"}],
)
def test_versions_that_do_not_belong_together_are_named(packages: dict[str, str]):
    [finding] = examine(healthy(**packages))
    assert (finding.code, finding.severity) == ("torch-set-mismatch", "error")
    assert all(version in finding.message for version in packages.values())
    assert "install torch==2.13.0\n" in finding.help


def test_the_local_part_of_a_version_is_no_mismatch():
    assert examine(healthy(torch="2.13.0+cpu", torch_cuda=None)) == ()


def test_nothing_installed_gives_the_two_lines_that_install_it():
    [finding] = examine(healthy(torch=None, torchrec=None, fbgemm_gpu_cpu=None, torch_cuda=None, probe=None))
    assert finding.code == "package-missing"
    assert finding.message == "not installed: torch, torchrec, fbgemm-gpu-cpu"
    assert finding.help.splitlines() == [
        "python -m pip install torch==2.13.0",
        "python -m pip install --no-deps torchrec==1.8.0 fbgemm-gpu-cpu==1.8.0",
    ]


def test_what_no_deps_left_out_is_named_with_its_pin():
    [finding] = examine(healthy(torchmetrics=None, tqdm=None))
    assert finding.help == "python -m pip install torchmetrics==1.0.3 tqdm"


def test_a_missing_extra_does_not_break_the_machine():
    findings = examine(healthy(mlflow=None))
    assert [finding.severity for finding in findings] == ["warning"]


def test_a_lookup_that_crashes_shows_what_the_child_said():
    crash = Probe(succeeded=False, device=None, seconds=1.0, timed_out=False, error="OSError: libnvidia-ml.so.1")
    [finding] = examine(healthy(probe=crash))
    assert (finding.code, finding.severity) == ("lookup-fails", "error")
    assert "libnvidia-ml.so.1" in finding.message


def test_a_lookup_that_hangs_says_how_long_it_was_given():
    [finding] = examine(healthy(probe=Probe(succeeded=False, device=None, seconds=180, timed_out=True, error="")))
    assert "180 s" in finding.message


def test_a_failed_lookup_is_not_reported_where_nothing_is_installed():
    crash = Probe(succeeded=False, device=None, seconds=1.0, timed_out=False, error="ModuleNotFoundError")
    codes = {finding.code for finding in examine(healthy(torch=None, torch_cuda=None, probe=crash))}
    assert codes == {"package-missing"}


def test_a_project_that_cannot_be_written_is_an_error():
    [finding] = examine(healthy(is_writable=False))
    assert (finding.code, finding.severity) == ("state-not-writable", "error")


def test_little_disk_is_a_warning_with_the_figures():
    [finding] = examine(healthy(free_disk_bytes=300 * BYTES["MiB"]))
    assert finding.severity == "warning"
    assert "300 MiB is free" in finding.message


def test_errors_come_first():
    severities = [finding.severity for finding in examine(healthy(mlflow=None, fbgemm_gpu="1.8.0"))]
    assert severities == ["error", "warning"]


def _worst() -> Iterable[Diagnostic]:
    crash = Probe(succeeded=False, device=None, seconds=1.0, timed_out=False, error="x")
    worst: list[Callable[[], Facts]] = [
        lambda: healthy(fbgemm_gpu="1.8.0", torch="2.0.0", probe=crash, is_writable=False, free_disk_bytes=0),
        lambda: healthy(fbgemm_gpu="1.8.0", fbgemm_gpu_cpu=None, tqdm=None, mlflow=None),
    ]
    return [finding for facts in worst for finding in examine(facts())]


@pytest.mark.parametrize("finding", _worst(), ids=lambda finding: finding.code)
def test_every_finding_can_be_explained(finding: Diagnostic):
    assert explain(finding.code)
