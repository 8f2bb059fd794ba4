from pathlib import Path

import pytest

from recplat.doctor.machine import find_cpu, memory_limit_bytes


@pytest.mark.parametrize(
    ("flags", "expected"),
    [("fpu avx512f avx512_bf16", (True, True)), ("fpu avx512f", (True, False)), ("fpu avx2", (False, False))],
)
def test_cpu_features_are_read_from_its_flags(tmp_path: Path, flags: str, expected: tuple[bool, bool]):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\nmodel name\t: A Chip\nflags\t\t: {flags}\n\nprocessor\t: 1\n")
    cpu = find_cpu(cpuinfo)
    assert (cpu.name, cpu.has_avx512, cpu.has_native_bf16) == ("A Chip", *expected)


def test_an_arm_cpu_lists_its_features_under_another_name(tmp_path: Path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nFeatures\t: fp asimd bf16\n")
    assert find_cpu(cpuinfo).has_native_bf16


def test_a_machine_without_cpuinfo_knows_no_feature(tmp_path: Path):
    cpu = find_cpu(tmp_path / "absent")
    assert not cpu.has_avx512
    assert cpu.num_cores >= 1


def test_memory_is_at_least_what_this_test_needs():
    assert memory_limit_bytes() > 64 * 2**20
