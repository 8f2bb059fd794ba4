import pytest
import torch
from torch import nn

from recplat.nn import MLP, FactorizationMachine, initialize, seed_of


class Pair(nn.Module):
    def __init__(self, names):
        super().__init__()
        for name in names:
            self.add_module(name, nn.Linear(4, 4))


class WithoutReset(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(1))


def test_values_follow_from_seed_and_name_and_not_from_the_order_of_layers():
    one, other = Pair(["a", "b"]), Pair(["b", "c", "a"])
    initialize(one, seed=7)
    initialize(other, seed=7)
    assert torch.equal(one.a.weight, other.a.weight)
    assert torch.equal(one.b.bias, other.b.bias)
    assert not torch.equal(one.a.weight, one.b.weight)
    initialize(other, seed=8)
    assert not torch.equal(one.a.weight, other.a.weight)


def test_the_random_state_outside_is_left_as_it_was():
    module = Pair(["a"])
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    initialize(module, seed=7)
    assert torch.equal(torch.rand(3), expected)


def test_every_parameter_and_statistic_of_a_module_without_memory_is_filled():
    with torch.device("meta"):
        module = nn.ModuleList([MLP(4, [8], num_outputs=1, batch_norm=True), FactorizationMachine(2, 4)])
    module.to_empty(device="cpu")
    for tensor in [*module.parameters(), *module.buffers()]:
        tensor.data.fill_(77)
    initialize(module, seed=1)
    assert all(not (tensor == 77).any() for tensor in [*module.parameters(), *module.buffers()])
    assert torch.equal(module[0][1].running_var, torch.ones(8))


def test_torchs_own_composite_layers_are_filled():
    module = nn.TransformerEncoderLayer(8, 2, 16)
    for parameter in module.parameters():
        parameter.data.fill_(77)
    initialize(module, seed=1)
    assert all(not (parameter == 77).any() for parameter in module.parameters())


def test_a_layer_that_cannot_fill_its_parameters_is_named():
    with pytest.raises(ValueError, match=r"`WithoutReset` at `1` .*reset_parameters"):
        initialize(nn.Sequential(nn.Linear(1, 1), WithoutReset()), seed=0)


def test_seeds_differ_by_name_and_fit_63_bits():
    seeds = {seed_of(seed, name) for seed in range(10) for name in ("a", "b", "tables/a")}
    assert len(seeds) == 30
    assert all(0 <= seed < 2**63 for seed in seeds)
