"""What each toggle decides, by device and workload."""

from typing import Any

import msgspec
import pytest

from recplat.catalog import builtin_catalog
from recplat.lang.shapes import Device, Workload

PLAIN_CPU = Device(type="cpu", num_ranks=1, cpus_per_rank=2, has_native_bf16=False)
BF16_CPU = msgspec.structs.replace(PLAIN_CPU, has_native_bf16=True)
VOLTA = Device(type="cuda", num_ranks=2, cpus_per_rank=2, has_native_bf16=False, capability=(7, 0))
HOPPER = msgspec.structs.replace(VOLTA, capability=(9, 0))
UNKNOWN_GPU = msgspec.structs.replace(VOLTA, capability=None)
LARGE = Workload(
    batch_size=4096, num_steps=100_000, flops_per_sample=2_000_000, embedding_kernels=("fused",), model_type="dlrm"
)
TINY = msgspec.structs.replace(LARGE, batch_size=32, num_steps=100, flops_per_sample=10_000)


def toggle(name: str, **options: Any) -> Any:
    return builtin_catalog().options("toggles", name)(**options)


@pytest.mark.parametrize(
    ("device", "workload", "dtype"),
    [
        (PLAIN_CPU, LARGE, "fp32"),
        (BF16_CPU, LARGE, "bf16"),
        (BF16_CPU, TINY, "fp32"),
        (VOLTA, LARGE, "fp32"),
        (HOPPER, LARGE, "bf16"),
        (UNKNOWN_GPU, LARGE, "fp32"),
    ],
)
def test_precision_by_itself_is_bf16_where_the_device_has_it(device: Device, workload: Workload, dtype: str) -> None:
    decision = toggle("precision").decide(device, workload)
    assert decision.settings == {"dtype": dtype}
    assert decision.active == (dtype != "fp32")


def test_precision_switched_off_is_fp32() -> None:
    assert toggle("precision", mode="disabled").decide(HOPPER, LARGE).settings == {"dtype": "fp32"}


@pytest.mark.parametrize(
    ("device", "dtype", "reason"),
    [
        (BF16_CPU, "fp16", "bf16"),
        (BF16_CPU, "tf32", "NVIDIA"),
        (PLAIN_CPU, "bf16", "AVX512-BF16"),
        (VOLTA, "bf16", "8.0"),
        (VOLTA, "tf32", "8.0"),
    ],
)
def test_a_precision_that_cannot_act_says_why(device: Device, dtype: str, reason: str) -> None:
    assert reason in toggle("precision", mode="enabled", dtype=dtype).unavailable(device, LARGE)


@pytest.mark.parametrize(
    ("device", "dtype"), [(PLAIN_CPU, "fp32"), (BF16_CPU, "bf16"), (VOLTA, "fp16"), (HOPPER, "bf16"), (HOPPER, "tf32")]
)
def test_a_precision_that_can_act_is_taken(device: Device, dtype: str) -> None:
    options = toggle("precision", mode="enabled", dtype=dtype)
    assert options.unavailable(device, LARGE) is None
    assert options.decide(device, LARGE).settings == {"dtype": dtype}


def test_compile_by_itself_is_for_long_runs() -> None:
    assert toggle("compile").decide(BF16_CPU, LARGE).active
    assert not toggle("compile").decide(BF16_CPU, TINY).active
    assert not toggle("compile").decide(BF16_CPU, msgspec.structs.replace(LARGE, num_steps=None)).active
    assert toggle("compile", mode="enabled").decide(BF16_CPU, TINY).active


def test_compile_needs_a_compiler() -> None:
    without = msgspec.structs.replace(BF16_CPU, has_compiler=False)
    decision = toggle("compile").decide(without, LARGE)
    assert (decision.active, "C++ compiler" in decision.reason) == (False, True)
    assert "C++ compiler" in toggle("compile", mode="enabled").unavailable(without, LARGE)
    assert toggle("compile", mode="enabled").unavailable(BF16_CPU, LARGE) is None


def test_pipeline_by_itself_is_for_several_gpus() -> None:
    one_gpu = msgspec.structs.replace(HOPPER, num_ranks=1)
    found = [toggle("pipeline").decide(device, LARGE).settings["type"] for device in (BF16_CPU, one_gpu, HOPPER)]
    assert found == ["none", "none", "sparse_dist"]
    assert toggle("pipeline", mode="enabled").decide(BF16_CPU, LARGE).settings == {"type": "sparse_dist"}


def test_accumulation_is_off_unless_pieces_are_named() -> None:
    assert toggle("grad_accumulation").decide(HOPPER, LARGE).settings == {"steps": 1}
    assert toggle("grad_accumulation", mode="enabled", steps=4).decide(HOPPER, LARGE).settings == {"steps": 4}
    [fault] = toggle("grad_accumulation", mode="enabled").faults()
    assert fault.code == "grad-accumulation-steps-missing"


def test_accumulation_needs_a_row_for_each_piece() -> None:
    assert "16 rows" in toggle("grad_accumulation", mode="enabled", steps=17).unavailable(HOPPER, TINY)
    assert toggle("grad_accumulation", mode="enabled", steps=16).unavailable(HOPPER, TINY) is None


def test_dataloader_pins_for_a_gpu() -> None:
    assert toggle("dataloader").decide(BF16_CPU, LARGE).settings == {"prefetch": 2, "pin": False}
    assert toggle("dataloader").decide(HOPPER, LARGE).settings == {"prefetch": 2, "pin": True}
    assert toggle("dataloader", mode="disabled").decide(HOPPER, LARGE).settings == {"prefetch": 0, "pin": False}
