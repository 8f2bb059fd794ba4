"""Facts of a healthy CPU machine, to be changed by each test in one place."""

from recplat.doctor.facts import PACKAGES, Facts, Project
from recplat.doctor.probe import Probe
from recplat.lang.units import BYTES
from recplat.plan.machine import Cpu, Gpu

H200 = Gpu(name="NVIDIA H200", memory_bytes=139 * BYTES["GiB"], capability="9.0", driver="580.65.06")
WORKS = Probe(succeeded=True, device="cpu", seconds=3.0, timed_out=False, error="")


def healthy(
    *,
    gpus: tuple[Gpu, ...] = (),
    torch_cuda: str | None = "13.0",
    free_disk_bytes: int = 100 * BYTES["GiB"],
    is_writable: bool = True,
    probe: Probe | None = WORKS,
    **packages: str | None,
) -> Facts:
    """`packages`: versions in place of the healthy ones; `_` stands for `-`."""
    versions: dict[str, str | None] = dict.fromkeys(PACKAGES, "1.0")
    versions |= {"torch": "2.13.0", "torchrec": "1.8.0", "fbgemm-gpu": None, "fbgemm-gpu-cpu": "1.8.0"}
    versions |= {name.replace("_", "-"): version for name, version in packages.items()}
    return Facts(
        python="3.11.7",
        executable="python",
        platform="Linux x86_64",
        cpu=Cpu(name="a CPU", num_cores=2, has_avx512=True, has_native_bf16=True),
        memory_bytes=24 * BYTES["GiB"],
        gpus=gpus,
        packages=versions,
        torch_cuda=torch_cuda,
        project=Project(
            root="/jobs",
            state_folder="/jobs/.recplat",
            state_bytes=5 * BYTES["MiB"],
            is_writable=is_writable,
            free_disk_bytes=free_disk_bytes,
        ),
        probe=probe,
    )
