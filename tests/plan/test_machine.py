from pathlib import Path

import pytest

from recplat.plan.machine import find_cpu


@pytest.mark.parametrize(("flags", "has_avx512"), [("fpu avx512f avx512bw", True), ("fpu avx2", False)])
def test_the_cpu_is_read_from_cpuinfo(tmp_path: Path, flags: str, has_avx512: bool):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\nmodel name\t: A Chip\nflags\t\t: {flags}\n\nprocessor\t: 1\n")
    cpu = find_cpu(cpuinfo)
    assert (cpu.name, cpu.has_avx512) == ("A Chip", has_avx512)


@pytest.mark.parametrize("line", ["flags : fpu amx_bf16", "Features : fp bf16"])
def test_bf16_is_known_of_both_families(tmp_path: Path, line: str):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor : 0\n{line}\n")
    assert find_cpu(cpuinfo).has_native_bf16


def test_a_machine_without_cpuinfo_knows_no_feature(tmp_path: Path):
    cpu = find_cpu(tmp_path / "absent")
    assert not cpu.has_avx512
    assert cpu.num_cores >= 1
