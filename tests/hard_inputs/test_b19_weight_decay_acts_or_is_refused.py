"""Weight decay is applied where it is accepted: by dense optimisers. Tables refuse it and say where to put it."""

import pytest

from recplat.catalog import builtin_catalog
from recplat.diagnostics import Problems
from tests.runtime.jobs import make_plan


@pytest.mark.parametrize("name", ["sgd", "adagrad", "row_wise_adagrad", "adam"])
def test_tables_refuse_it_with_the_remedy(name: str) -> None:
    with pytest.raises(Problems) as caught:
        make_plan(f"spec.train.embedding_optimizer={{type: {name}, weight_decay: 0.1}}")
    [problem] = caught.value.diagnostics
    assert "weight_decay" in str(problem.path)
    assert "train.dense_optimizer" in f"{problem.message} {problem.help}"


def test_every_embedding_optimizer_is_covered() -> None:
    catalog = builtin_catalog()
    for name in catalog.names("embedding_optimizers"):
        options = catalog.options("embedding_optimizers", name)
        assert "weight_decay" in options.refused or "weight_decay" in options.__struct_fields__


def test_sgd_with_decay_takes_a_weight_without_gradient_from_1_to_0_99() -> None:
    torch = pytest.importorskip("torch")
    options = builtin_catalog().options("dense_optimizers", "sgd")(learning_rate=0.1, weight_decay=0.1)
    weight = torch.nn.Parameter(torch.ones(1))
    weight.grad = torch.zeros(1)
    builtin_catalog().implementation(options, "impl").build(options, [weight]).step()
    assert weight.item() == pytest.approx(0.99)
