"""Updates of tables after the backward pass, against their formulas written out row by row."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from recplat.catalog import builtin_catalog  # noqa: E402
from recplat.lang.shapes import Device  # noqa: E402

CPU = Device(type="cpu", num_ranks=1, cpus_per_rank=1, has_native_bf16=False)
CUDA = Device(type="cuda", num_ranks=1, cpus_per_rank=1, has_native_bf16=False, capability=(9, 0))
RATE = 0.1
NAMES = ("sgd", "adagrad", "row_wise_adagrad", "adam")


def steps(name: str, weights_RC: np.ndarray, grads: list[np.ndarray]) -> np.ndarray:
    """What the optimiser of that name makes of these gradients."""
    options = builtin_catalog().options("embedding_optimizers", name)(learning_rate=RATE)
    parameter = torch.nn.Parameter(torch.from_numpy(weights_RC.copy()))
    optimizer = builtin_catalog().implementation(options, "impl").build(options, [parameter])
    for grad_RC in grads:
        parameter.grad = torch.from_numpy(grad_RC.copy())
        optimizer.step()
    return parameter.detach().numpy()


def reference(name: str, weights_RC: np.ndarray, grads: list[np.ndarray]) -> np.ndarray:
    out = weights_RC.astype(np.float64)
    sums = np.zeros_like(out)
    means, squares = np.zeros_like(out), np.zeros_like(out)
    for step, grad_RC in enumerate(grads, start=1):
        for row, grad in enumerate(grad_RC.astype(np.float64)):
            if not grad.any():
                continue
            if name == "sgd":
                out[row] -= RATE * grad
            elif name == "adagrad":
                sums[row] += grad**2
                out[row] -= RATE * grad / (np.sqrt(sums[row]) + 1e-8)
            elif name == "row_wise_adagrad":
                sums[row] += (grad**2).mean()
                out[row] -= RATE * grad / (np.sqrt(sums[row]) + 1e-8)
            else:
                means[row] = 0.9 * means[row] + 0.1 * grad
                squares[row] = 0.999 * squares[row] + 0.001 * grad**2
                mean, square = means[row] / (1 - 0.9**step), squares[row] / (1 - 0.999**step)
                out[row] -= RATE * mean / (np.sqrt(square) + 1e-8)
    return out


@pytest.mark.parametrize("name", NAMES)
def test_updates_follow_the_formula_and_leave_other_rows_alone(name: str) -> None:
    random = np.random.default_rng(0)
    weights_RC = random.normal(size=(6, 4)).astype(np.float32)
    grads = []
    for _ in range(5):
        grad_RC = random.normal(size=(6, 4)).astype(np.float32)
        grad_RC[random.random(6) < 0.5] = 0
        grad_RC[5] = 0
        grads.append(grad_RC)
    result = steps(name, weights_RC, grads)
    np.testing.assert_allclose(result, reference(name, weights_RC, grads), atol=2e-6)
    np.testing.assert_array_equal(result[5], weights_RC[5])


@pytest.mark.parametrize("name", NAMES)
def test_state_bytes_are_those_of_the_state(name: str) -> None:
    """Counted in the optimiser after a step; a step's counter aside."""
    options = builtin_catalog().options("embedding_optimizers", name)()
    parameter = torch.nn.Parameter(torch.ones(6, 4))
    optimizer = builtin_catalog().implementation(options, "impl").build(options, [parameter])
    parameter.grad = torch.ones(6, 4)
    optimizer.step()
    states = [value for value in optimizer.state[parameter].values() if isinstance(value, torch.Tensor) and value.dim()]
    assert options.state_bytes(6, 4) == sum(state.numel() * state.element_size() for state in states)


def test_only_adam_on_a_cpu_needs_the_dense_kernel() -> None:
    options = {name: builtin_catalog().options("embedding_optimizers", name)() for name in NAMES}
    assert [name for name in NAMES if options[name].kernel(CPU) == "dense"] == ["adam"]
    assert all(options[name].kernel(CUDA) == "fused" for name in NAMES)
    assert "CPU" in options["adam"].kernel_reason(CPU)
