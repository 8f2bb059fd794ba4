"""The dense optimisers do what their options say."""

import math

import pytest

torch = pytest.importorskip("torch")

from recplat.catalog import builtin_catalog  # noqa: E402

NAMES = ("sgd", "adagrad", "adam", "adamw")


def one_step(name: str, grad: float, **options: float) -> float:
    """The weight 1.0 after one step with that gradient."""
    made = builtin_catalog().options("dense_optimizers", name)(**options)
    parameter = torch.nn.Parameter(torch.ones(1, dtype=torch.float64))
    optimizer = builtin_catalog().implementation(made, "impl").build(made, [parameter])
    parameter.grad = torch.full((1,), grad, dtype=torch.float64)
    optimizer.step()
    return float(parameter.detach())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sgd", 1 - 0.1 * (0.0 + 0.5 * 1.0)),
        # The penalty is the whole gradient here, so the first step is a full one.
        ("adagrad", 1 - 0.1),
        ("adam", 1 - 0.1),
        ("adamw", 1 - 0.1 * 0.5 * 1.0),
    ],
)
def test_weight_decay_acts_without_a_gradient(name: str, expected: float) -> None:
    assert one_step(name, 0.0, learning_rate=0.1, weight_decay=0.5) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", ["sgd", "adagrad", "adam"])
def test_there_is_no_weight_decay_by_default(name: str) -> None:
    assert one_step(name, 0.0) == 1.0


def test_momentum_keeps_a_share_of_the_last_update() -> None:
    options = builtin_catalog().options("dense_optimizers", "sgd")(learning_rate=1.0, momentum=0.5)
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = builtin_catalog().implementation(options, "impl").build(options, [parameter])
    for _ in range(2):
        parameter.grad = torch.ones(1)
        optimizer.step()
    assert float(parameter.detach()) == -(1.0 + 1.5)


@pytest.mark.parametrize("name", NAMES)
def test_state_bytes_are_those_of_the_state(name: str) -> None:
    extra = {"momentum": 0.9} if name == "sgd" else {}
    options = builtin_catalog().options("dense_optimizers", name)(**extra)
    parameter = torch.nn.Parameter(torch.ones(7))
    optimizer = builtin_catalog().implementation(options, "impl").build(options, [parameter])
    parameter.grad = torch.ones(7)
    optimizer.step()
    states = [value for value in optimizer.state[parameter].values() if isinstance(value, torch.Tensor) and value.dim()]
    assert options.state_bytes(7) == sum(state.numel() * state.element_size() for state in states)
    assert math.prod(states[0].shape) == 7
