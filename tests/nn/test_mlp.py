import math

import numpy as np
import pytest
import torch

from recplat.nn import MLP, initialize

ACTIVATIONS = {
    "relu": lambda x: max(x, 0.0),
    "leaky_relu": lambda x: x if x > 0 else 0.01 * x,
    "gelu": lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))),
    "silu": lambda x: x / (1 + math.exp(-x)),
    "tanh": math.tanh,
}


def linear(layer, x_BN):
    return x_BN @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_hidden_layers_are_activated_and_the_output_is_not(activation):
    mlp = MLP(3, [5, 4], num_outputs=2, activation=activation)
    initialize(mlp, seed=1)
    first, _, second, _, last = mlp
    x_BN = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    activate = np.vectorize(ACTIVATIONS[activation])
    expected = linear(last, activate(linear(second, activate(linear(first, x_BN)))))
    np.testing.assert_allclose(mlp(torch.from_numpy(x_BN)).detach().numpy(), expected, atol=1e-5)


def test_without_outputs_the_last_hidden_layer_is_activated():
    mlp = MLP(3, [4])
    assert mlp.width == 4
    assert (mlp(torch.randn(50, 3)) >= 0).all()


def test_without_any_layer_it_gives_its_input():
    x_BN = torch.randn(2, 3)
    mlp = MLP(3, [])
    assert mlp.width == 3
    assert torch.equal(mlp(x_BN), x_BN)


def test_dropout_acts_in_training_only():
    mlp = MLP(8, [64], dropout=0.5)
    x_BN = torch.randn(4, 8)
    assert not torch.equal(mlp(x_BN), mlp(x_BN))
    mlp.eval()
    assert torch.equal(mlp(x_BN), mlp(x_BN))


def test_batch_norm_uses_the_batch_in_training_and_what_it_learned_in_evaluation():
    mlp = MLP(3, [4], batch_norm=True, activation="leaky_relu")
    linear_layer, norm, _ = mlp
    x_BN = torch.randn(500, 3)
    hidden_BN = linear_layer(x_BN).detach()
    normal_BN = (hidden_BN - hidden_BN.mean(0)) / (hidden_BN.var(0, unbiased=False) + norm.eps).sqrt()
    torch.testing.assert_close(norm(hidden_BN).detach(), normal_BN, atol=1e-5, rtol=0)
    torch.testing.assert_close(norm.running_mean, 0.1 * hidden_BN.mean(0), atol=1e-5, rtol=0)
    norm.eval()
    learned_BN = (hidden_BN - norm.running_mean) / (norm.running_var + norm.eps).sqrt()
    torch.testing.assert_close(norm(hidden_BN).detach(), learned_BN, atol=1e-5, rtol=0)


@pytest.mark.parametrize("num_rows", [0, 1])
def test_batch_norm_takes_a_last_batch_without_variance(num_rows):
    mlp = MLP(3, [4], batch_norm=True)
    mlp(torch.randn(100, 3))
    learned = mlp[1].running_var.clone()
    output_BN = mlp(torch.randn(num_rows, 3))
    assert output_BN.shape == (num_rows, 4)
    assert output_BN.isfinite().all()
    assert torch.equal(mlp[1].running_var, learned)
    output_BN.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in mlp.parameters())
